package dev.stormproof.cli.text;

import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.log.audit.OfflineVerifier.Range;

/**
 * A partition that was audited.
 *
 * @param range what was judged of it
 * @param logBegin where its log begins
 * @param complete false if it was demanded to be complete from an earlier offset
 */
public record Audited(Range range, long logBegin, Contents contents, boolean complete) {
    public int partition() {
        return range.partition().partition();
    }

    /** True if the log was read from its beginning on. */
    boolean fromLogBegin() {
        return range.begin() == logBegin;
    }

    /** True if the log once held more than was read, which it does not any more. */
    boolean isBeheaded() {
        return fromLogBegin() && logBegin > 0;
    }

    /** True if it was read as far as it can be. */
    boolean toReadableEnd() {
        return range.end() == range.readableEnd();
    }
}
