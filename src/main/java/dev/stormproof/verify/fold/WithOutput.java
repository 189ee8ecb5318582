package dev.stormproof.verify.fold;

import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;

/**
 * The fold and the output of one feed: both take each record, the output first. After a failure in between, the verified
 * progress is before the end of the output, never after it.
 */
record WithOutput(LogFold fold, LogSink output) implements LogSink {
    @Override
    public void take(Read read) {
        output.take(read);
        fold.take(read);
    }

    @Override
    public boolean takesContent() {
        return output.takesContent();
    }

    @Override
    public long truncated(long offset) {
        output.truncated(offset);
        return fold.truncated(offset);
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        // The output still has the judged records to write; the fold reports the missed ones.
        long missedFrom = Math.min(fold.progressOffset(), beginOffset);
        output.expired(missedFrom, endOffset);
        fold.expired(beginOffset, endOffset);
    }

    @Override
    public void caughtUp(long asOfMillis) {
        fold.caughtUp(asOfMillis);
    }

    @Override
    public int room() {
        return Math.min(fold.room(), output.room());
    }
}
