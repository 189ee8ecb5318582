package dev.stormproof.consume;

import dev.stormproof.leader.Leaders;

/**
 * The verified progress of one partition.
 *
 * @param offset the first offset whose record is not judged; {@value #NOWHERE} if nothing is
 * @param leaderEpoch the leader epoch of the last record before it; {@value #NO_EPOCH} if unknown
 * @param leaders those that wrote what lies before it, as far as they are known
 * @param from where the verification began that led to it: nobody judged what lay before
 */
record ProgressPoint(long offset, int leaderEpoch, Leaders leaders, long from) {
    static final long NOWHERE = -1;
    static final int NO_EPOCH = Leaders.NO_EPOCH;

    /** The progress of a partition of which nothing is verified. */
    static final ProgressPoint NONE = new ProgressPoint(NOWHERE, NO_EPOCH, Leaders.NONE, 0);

    /**
     * True if it has passed a record of the log that was verified. Leader epochs grow along a log: a record of a later one than
     * the last verified record bears was written in the place of others, after a truncation. One of an earlier leader than the one that
     * wrote in its place was cut off after it was fetched.
     */
    boolean hasPassed(long recordOffset, int recordEpoch) {
        boolean later = leaderEpoch != NO_EPOCH && recordEpoch > leaderEpoch;
        return recordOffset < offset && !later && !hasCutOff(recordOffset, recordEpoch);
    }

    /** True if another leader than a record's own wrote what was verified in its place. */
    boolean hasCutOff(long recordOffset, int recordEpoch) {
        return recordOffset < offset && leaders.haveCutOff(recordOffset, recordEpoch);
    }
}
