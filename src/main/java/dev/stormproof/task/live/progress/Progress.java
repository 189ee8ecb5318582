package dev.stormproof.task.live.progress;

import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.SavedHeads;
import org.jspecify.annotations.Nullable;

/**
 * The point up to which one partition is verified, with the facts that its next reader needs.
 *
 * @param offset the first offset whose record is not judged
 * @param leaderEpoch the leader epoch of the last record before that; -1 if unknown
 * @param topicId distinguishes the topic from others of the same name; 0 if unknown
 * @param heads what is kept of the streams before it, where it is read; nothing where it is written, for then the changes are written
 * @param written how far the partition's output is written; null if it never was
 * @param leaders those that wrote the records before it, as far as they are known
 */
public record Progress(
        long offset,
        int leaderEpoch,
        long topicId,
        SavedHeads heads,
        @Nullable Written written,
        Leaders leaders) {
    /** The progress of a partition without output, of unknown leaders. */
    public Progress(long offset, int leaderEpoch, long topicId) {
        this(offset, leaderEpoch, topicId, SavedHeads.NOTHING, null, Leaders.NONE);
    }

    /** This progress with what is kept of its streams. */
    public Progress with(SavedHeads kept) {
        return new Progress(offset, leaderEpoch, topicId, kept, written, leaders);
    }

    /** This progress in the topic with an id. In another topic than it was made in, only the offset counts. */
    public Progress in(long id) {
        if (id == TopicIds.UNKNOWN || id == topicId) {
            return this;
        }
        return topicId == TopicIds.UNKNOWN
                ? new Progress(offset, leaderEpoch, id, heads, written, leaders)
                : at(offset, id);
    }

    /** The progress at an offset of a topic that was not verified before. */
    public static Progress at(long offset, long topicId) {
        return new Progress(offset, DeliveryLink.NO_EPOCH, topicId);
    }
}
