package dev.stormproof.verify.feed;

/**
 * The place of a delivered record in its partition.
 *
 * @param offset its offset
 * @param previous the offset of the previous record, as its reader saw it: {@code offset - 1} where offsets are
 *     contiguous, less after transaction markers; {@code offset - 1} too for the first record that a reader reads
 * @param leaderEpoch the leader epoch under which it was written; {@link #NO_EPOCH} if unknown
 */
public record DeliveryLink(long offset, long previous, int leaderEpoch) {
    /** An unknown epoch. */
    public static final int NO_EPOCH = Leaders.NO_EPOCH;

    public DeliveryLink {
        if (offset < 0 || previous >= offset) {
            throw new IllegalArgumentException("offset " + offset + " after " + previous);
        }
    }
}
