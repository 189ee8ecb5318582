package dev.stormproof.verify.feed;

/**
 * The end of the records in a log of one leader and those before it (KIP-320).
 *
 * @param leaderEpoch the epoch of the last leader before the offset: lower than requested if the log holds no record of that
 * @param offset the offset after the last of these records
 */
public record EpochEnd(int leaderEpoch, long offset) {
    /** The end in a log that was not truncated. */
    public static final EpochEnd WHOLE = new EpochEnd(Integer.MAX_VALUE, Long.MAX_VALUE);

    /** True if the log still holds an epoch's records before an offset. */
    public boolean holds(int epoch, long end) {
        return leaderEpoch >= epoch && offset >= end;
    }
}
