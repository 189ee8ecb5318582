package dev.stormproof.emit;

import java.util.List;

/**
 * The savepoint of a partition holds its streams as a transaction found them; an abort returns to it.
 *
 * <p>Immutable; guarded, like the streams, by the lock of the partition's writer.
 */
final class Savepoint {
    private final Saved current;
    private final List<Saved> ended;
    private final SentTotals totals;

    private record Saved(EmittedStream stream, StreamState state) {
        static Saved of(EmittedStream stream) {
            return new Saved(stream, stream.emitter().savedState());
        }
    }

    Savepoint(EmittedStream current, List<EmittedStream> ended, SentTotals totals) {
        this.current = Saved.of(current);
        this.ended = ended.stream().map(Saved::of).toList();
        this.totals = totals.copy();
    }

    /** Sets the totals and all streams back to their saved state. */
    void restore(SentTotals live) {
        live.setTo(totals);
        current.stream().rollback(current.state());
        ended.forEach(saved -> saved.stream().rollback(saved.state()));
    }

    /** The stream that was the current one. */
    EmittedStream current() {
        return current.stream();
    }

    /** The streams that waited for their closing checkpoints. */
    List<EmittedStream> ended() {
        return ended.stream().map(Saved::stream).toList();
    }

    /** The position of the first checkpoint that the current stream sends behind this savepoint. */
    CheckpointPosition position() {
        return current.state().position();
    }
}
