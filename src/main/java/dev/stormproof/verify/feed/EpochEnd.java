package dev.stormproof.verify.feed;

/**
 * The end of what a log holds of one leader, and of those before it (KIP-320).
 *
 * @param leaderEpoch the epoch of the last leader up to there: an earlier one than was asked for, if the log holds nothing of that
 * @param offset the offset behind
 */
public record EpochEnd(int leaderEpoch, long offset) {
    /** That of a log that holds every record that was read of it. */
    public static final EpochEnd WHOLE = new EpochEnd(Integer.MAX_VALUE, Long.MAX_VALUE);

    /** True if the log holds what was read of a leader, up to an offset. */
    public boolean holds(int epoch, long end) {
        return leaderEpoch >= epoch && offset >= end;
    }
}
