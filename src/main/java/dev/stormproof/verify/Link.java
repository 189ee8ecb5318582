package dev.stormproof.verify;

/**
 * How a record hangs on the chain of custody between the log and the verifier.
 *
 * @param offset its offset
 * @param previous the offset of the record before it in the partition, as the reader saw it; {@code offset - 1} where
 *     offsets are contiguous, less behind transaction markers
 * @param start true for the first record after a reader gained the partition; {@code previous} is then the offset before
 *     the one where the reader found the log cut, if retention has passed that since; else {@code offset - 1}
 * @param leaderEpoch the leader epoch under which it was written; -1 if unknown
 * @param incarnation what all records from one start on have in common, and no others
 */
public record Link(long offset, long previous, boolean start, int leaderEpoch, long incarnation) {
    /** The epoch of a record of which none is known. */
    public static final int NO_EPOCH = -1;

    public Link {
        if (offset < 0 || (!start && previous >= offset)) {
            throw new IllegalArgumentException("offset " + offset + " after " + previous);
        }
    }

    /** A record that directly follows the one at {@code offset - 1}. */
    public static Link contiguous(long offset) {
        return new Link(offset, offset - 1, false, NO_EPOCH, 0);
    }

    /** The first record after a reader gained the partition. */
    public static Link start(long offset) {
        return new Link(offset, offset - 1, true, NO_EPOCH, 0);
    }
}
