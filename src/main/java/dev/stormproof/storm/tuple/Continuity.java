package dev.stormproof.storm.tuple;

/**
 * The place of a record behind the one that the spout read before it.
 *
 * <p>It is a function of the record: a record that is read again has the same continuity.
 *
 * @param previous the offset of the record before it in the partition, as the spout read it; at a start the one before the
 *     offset at which the spout found the log truncated, or before this one
 * @param start true for the first record after the spout gained the partition, or was reset in it
 * @param leaderEpoch the leader epoch under which it was written; -1 if unknown
 * @param incarnation a random id, new at every start
 * @param topicId tells the topic from others that bore its name; 0 if unknown
 */
public record Continuity(long previous, boolean start, int leaderEpoch, long incarnation, long topicId) {
    /** The epoch of a record whose epoch is unknown. */
    public static final int NO_EPOCH = -1;
}
