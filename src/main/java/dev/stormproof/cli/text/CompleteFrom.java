package dev.stormproof.cli.text;

import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;

/**
 * The place from which on a log is demanded to be complete: an offset, or a time by the log's own times.
 *
 * @param text as it was given
 * @param offset the offset; -1 if it is a time
 * @param millis the time; of no meaning if it is an offset
 */
public record CompleteFrom(String text, long offset, long millis) {
    private static final Pattern OFFSET = Pattern.compile("[0-9]{1,18}");

    /** Reads {@code OFFSET} or {@code TIME}, for picocli. */
    public static CompleteFrom of(String text) {
        if (OFFSET.matcher(text).matches()) {
            return new CompleteFrom(text, Long.parseLong(text), 0);
        }
        return new CompleteFrom(text, -1, TimeText.of(text).toEpochMilli());
    }

    /**
     * Where that is in a log that is read from an offset on; -1 if what is demanded may be before. A log that does not begin at
     * 0 shows only by an earlier record that it held nothing of that time before.
     *
     * @param offsetForTime the first record that was written at a time or later
     */
    public long offsetIn(long beginOffset, LongUnaryOperator offsetForTime) {
        long from = offset >= 0 ? offset : offsetForTime.applyAsLong(millis);
        boolean held = beginOffset == 0 || (offset >= 0 ? beginOffset <= from : beginOffset < from);
        return held ? from : -1;
    }
}
