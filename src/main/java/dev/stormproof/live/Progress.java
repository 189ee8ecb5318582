package dev.stormproof.live;

import dev.stormproof.feed.Link;
import java.util.List;

/**
 * How far one partition is verified, and what whoever begins there has to know besides.
 *
 * @param offset the first offset that is not decided
 * @param leaderEpoch the leader epoch of the last record before that; -1 if unknown
 * @param topicId tells the topic from others that bore its name; 0 if unknown
 * @param promises the offsets before that at which checkpoints lie whose streams still owe the next one
 */
record Progress(long offset, int leaderEpoch, long topicId, List<Long> promises) {
    Progress {
        promises = List.copyOf(promises);
    }

    /** Progress of which only the offset is known. */
    static Progress at(long offset) {
        return at(offset, TopicIds.UNKNOWN);
    }

    /** The same in a certain topic. */
    static Progress at(long offset, long topicId) {
        return new Progress(offset, Link.NO_EPOCH, topicId, List.of());
    }
}
