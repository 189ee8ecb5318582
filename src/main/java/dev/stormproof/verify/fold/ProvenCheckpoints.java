package dev.stormproof.verify.fold;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last proven checkpoints of streams that made room for others, by emitter: should such a stream come back, what it
 * repeats is known. Their number is bounded; beyond it the oldest are forgotten.
 */
final class ProvenCheckpoints {
    /** Some ten megabytes. */
    private static final int MOST = 100_000;

    private final LinkedHashMap<Long, LastCheckpoint> byEmitter = new LinkedHashMap<>();

    /** Keeps what is proven of a stream, if anything is. */
    void keep(long emitter, @Nullable LastCheckpoint proven) {
        if (proven == null) {
            return;
        }
        byEmitter.remove(emitter);
        byEmitter.put(emitter, proven);
        if (byEmitter.size() > MOST) {
            byEmitter.remove(byEmitter.keySet().iterator().next());
        }
    }

    /** What is proven of a stream that comes back; null if nothing is. */
    @Nullable
    LastCheckpoint take(long emitter) {
        return byEmitter.isEmpty() ? null : byEmitter.remove(emitter);
    }

    /** Forgets what lay at or behind an offset. */
    void truncate(long offset) {
        byEmitter.values().removeIf(proven -> proven.offset() >= offset);
    }
}
