package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import java.util.TreeMap;

/** The records that a verifier took, beside its output: of a log that was cut it may have read less than lies there now. */
final class HandedOver implements LogSink {
    private final LogSink output;
    private final TreeMap<Long, LogRecord> records = new TreeMap<>();

    HandedOver(LogSink output) {
        this.output = output;
    }

    /** True if this very record was taken. */
    boolean took(LogRecord record) {
        return records.get(record.offset()) == record;
    }

    @Override
    public void take(Read read) {
        records.put(read.record().offset(), read.record());
        output.take(read);
    }

    @Override
    public boolean takesContent() {
        return output.takesContent();
    }

    @Override
    public long truncated(long offset) {
        return output.truncated(offset);
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        output.expired(beginOffset, endOffset);
    }

    @Override
    public void caughtUp(long asOfMillis) {
        output.caughtUp(asOfMillis);
    }

    @Override
    public int room() {
        return output.room();
    }
}
