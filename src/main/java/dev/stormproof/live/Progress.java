package dev.stormproof.live;

import dev.stormproof.feed.Link;
import dev.stormproof.verify.Promises;

/**
 * The point up to which one partition is verified, with the facts that its next reader needs.
 *
 * @param offset the first offset whose record is not judged
 * @param leaderEpoch the leader epoch of the last record before that; -1 if unknown
 * @param topicId tells the topic from others that bore its name; 0 if unknown
 * @param promises the checkpoints before that whose streams still owe the next one
 */
record Progress(long offset, int leaderEpoch, long topicId, Promises promises) {
    /** The progress at an offset of a certain topic. */
    static Progress at(long offset, long topicId) {
        return new Progress(offset, Link.NO_EPOCH, topicId, Promises.NONE);
    }
}
