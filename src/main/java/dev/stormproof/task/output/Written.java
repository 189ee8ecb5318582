package dev.stormproof.task.output;

import dev.stormproof.verify.feed.Leaders;

/**
 * The part of an input partition whose output is written: everything before an offset.
 *
 * @param endOffset the first offset whose output is not written
 * @param leaders those that wrote the records before it, as far as they are known: records of other leaders there are not written
 * @param halted whether a finding reported that the output is halted there
 * @param waiting whether a finding reported that the output waits there for its topic
 */
public record Written(long endOffset, Leaders leaders, boolean halted, boolean waiting) {
    /** Everything before an offset, of unknown leaders. */
    public static Written before(long offset) {
        return new Written(offset, Leaders.NONE, false, false);
    }
}
