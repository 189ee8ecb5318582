package dev.stormproof.output;

import dev.stormproof.feed.Link;

/**
 * The part of an input partition whose output is written: everything before an offset.
 *
 * @param endOffset the first offset whose output is not written
 * @param leaderEpoch the leader epoch of the last record before that; {@link Link#NO_EPOCH} if unknown
 * @param halted whether it was told that the output is halted there
 * @param waiting whether it was told that the output waits there for its topic
 */
public record Written(long endOffset, int leaderEpoch, boolean halted, boolean waiting) {
    /** Everything before an offset, of unknown epoch. */
    public static Written before(long offset) {
        return new Written(offset, Link.NO_EPOCH, false, false);
    }
}
