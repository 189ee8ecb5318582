package dev.stormproof.checkpoint;

/**
 * A recovered checkpoint as it lies in the log: another emitter of the same name says what the log held of a stream's end.
 *
 * <pre>
 *   own checkpoints   #6 ────────── #7 ──── e e e ✝
 *   recovery                         ▲ ─────────── R     of number 8, continues #7, and nothing continues it
 * </pre>
 *
 * <p>It stands beside the chain: should the stream's own emitter go on, its checkpoint of number 8 continues #7 as if R were not there.
 *
 * @param statement what it says, and the hash of that
 */
public record RecoveryRecord(CheckpointRecord statement) implements LogRecord {
    @Override
    public long offset() {
        return statement.offset();
    }

    @Override
    public long writtenMillis() {
        return statement.writtenMillis();
    }

    /** The checkpoint. */
    public Format2Checkpoint checkpoint() {
        return (Format2Checkpoint) statement.checkpoint();
    }
}
