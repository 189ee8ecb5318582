package dev.stormproof.verify.fold;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last proven checkpoints of streams that made room for others, by emitter: if such a stream comes back, its repetitions
 * are known. Their number is bounded; beyond it the oldest are forgotten.
 */
final class ProvenCheckpoints {
    /** Takes about ten megabytes. */
    private static final int MOST = 100_000;

    private final LinkedHashMap<Long, LastCheckpoint> byEmitter = new LinkedHashMap<>();

    /** Keeps the last proven checkpoint of a stream, if there is one. */
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

    /** Removes and returns the last proven checkpoint of a stream that comes back; null if there is none. */
    @Nullable
    LastCheckpoint take(long emitter) {
        return byEmitter.isEmpty() ? null : byEmitter.remove(emitter);
    }

    /** Forgets checkpoints at an offset or after it. */
    void truncate(long offset) {
        byEmitter.values().removeIf(proven -> proven.offset() >= offset);
    }
}
