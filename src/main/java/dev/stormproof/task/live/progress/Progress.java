package dev.stormproof.task.live.progress;

import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Promises;
import org.jspecify.annotations.Nullable;

/**
 * The point up to which one partition is verified, with the facts that its next reader needs.
 *
 * @param offset the first offset whose record is not judged
 * @param leaderEpoch the leader epoch of the last record before that; -1 if unknown
 * @param topicId distinguishes the topic from others of the same name; 0 if unknown
 * @param deadlines the checkpoints before it whose streams still owe the next one
 * @param written how far the partition's output is written; null if it never was
 * @param leaders those that wrote the records before it, as far as they are known
 */
public record Progress(
        long offset,
        int leaderEpoch,
        long topicId,
        Promises deadlines,
        @Nullable Written written,
        Leaders leaders) {
    /** The progress of a partition without output, of unknown leaders. */
    public Progress(long offset, int leaderEpoch, long topicId, Promises deadlines) {
        this(offset, leaderEpoch, topicId, deadlines, null, Leaders.NONE);
    }

    /** This progress in the topic with an id. In another topic than it was made in, only the offset counts. */
    public Progress in(long id) {
        if (id == TopicIds.UNKNOWN || id == topicId) {
            return this;
        }
        return topicId == TopicIds.UNKNOWN
                ? new Progress(offset, leaderEpoch, id, deadlines, written, leaders)
                : at(offset, id);
    }

    /** The progress at an offset of a topic that was not verified before. */
    public static Progress at(long offset, long topicId) {
        return new Progress(offset, DeliveryLink.NO_EPOCH, topicId, Promises.NONE);
    }
}
