package dev.stormproof.verify.fold;

import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;

/**
 * The fold and the output behind one feed: both take what the feed hands over. First the output: a failure in between leaves what is
 * verified, and with it the progress, behind what is written.
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
        // What was judged is still the output's; of what follows the fold tells.
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
