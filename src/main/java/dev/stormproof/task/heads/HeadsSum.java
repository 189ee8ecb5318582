package dev.stormproof.task.heads;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the metadata of a partition's progress says of its heads: a start knows by it whether the topic of heads has those of this
 * progress, and no others. That topic may have been truncated, emptied, or written to by another program, and an old head that is taken
 * for the last one would make a faultless log a violation.
 *
 * <p>As text, {@code 8c1f00d2a7e3b549}; with a question mark after it if not complete.
 *
 * @param sum the exclusive or of the XXH3 hashes of the partition's records in the topic of heads, each of key and value; 0 of none
 * @param complete true if no other stream has any record before the progress
 */
public record HeadsSum(long sum, boolean complete) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16})(\\??)");

    public String text() {
        return HexFormat.of().toHexDigits(sum) + (complete ? "" : "?");
    }

    /** Reads {@link #text}; empty if it is none. */
    public static Optional<HeadsSum> ofText(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new HeadsSum(
                        Long.parseUnsignedLong(matcher.group(1), 16),
                        matcher.group(2).isEmpty()))
                : Optional.empty();
    }
}
