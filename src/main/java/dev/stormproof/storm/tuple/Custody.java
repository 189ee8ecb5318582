package dev.stormproof.storm.tuple;

/**
 * How a record hangs on the chain of custody between the log and whoever receives it.
 *
 * <p>It is a function of the record: a record that is delivered again carries the same custody, except for the attempt.
 *
 * @param previous the offset of the record before it in the partition, as the spout read it; at a start
 *     the one before the place where the spout found the log cut, or before this one
 * @param start true for the first record after the spout gained the partition, or lost its place in it
 * @param leaderEpoch the leader epoch under which it was written; -1 if unknown
 * @param incarnation a random id, new at every start
 * @param topicId tells the topic from others that bore its name; 0 if unknown
 * @param attempt how often its delivery failed before; 0 at first
 */
public record Custody(long previous, boolean start, int leaderEpoch, long incarnation, long topicId, int attempt) {
    /** The epoch of a record of which none is known. */
    public static final int NO_EPOCH = -1;

    public Custody withAttempt(int failures) {
        return failures == attempt ? this : new Custody(previous, start, leaderEpoch, incarnation, topicId, failures);
    }
}
