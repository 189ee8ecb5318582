package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fixture of tests of {@link Format2Emitter}: emitters, events, and the checkpoints over them. */
abstract class Format2Fixture {
    static final StreamId STREAM = new StreamId("orders", 3, 0xabcdef);
    static final long START = 1_000_000;

    final List<Hash> signatures = new ArrayList<>();

    static Format2Emitter emitter(Object... settings) {
        Map<String, Object> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        EmitterConfig config = new EmitterConfig(all);
        return new Format2Emitter(STREAM, config, new MaxMessageBytes("orders", config.maxBytes, () -> {}));
    }

    static Format2Emitter opened(Object... settings) throws Exception {
        Format2Emitter emitter = emitter(settings);
        sent(emitter, emitter.seal(START, -1), START);
        return emitter;
    }

    static Format2Checkpoint sent(Format2Emitter emitter, Optional<PendingCheckpoint> pending, long nowMillis)
            throws Exception {
        emitter.checkpointSent(pending.orElseThrow(), nowMillis);
        return decoded(pending);
    }

    static Format2Checkpoint decoded(Optional<PendingCheckpoint> pending) throws Exception {
        return CheckpointCodec.decode(pending.orElseThrow().bytes);
    }

    void events(Format2Emitter emitter, int count, long nowMillis) {
        for (int i = 0; i < count; i++) {
            byte[] value = ("value " + signatures.size()).getBytes(StandardCharsets.UTF_8);
            Hash signature = emitter.config.signers.get().sign(null, value);
            signatures.add(signature);
            emitter.eventSent(emitter.eventHeader(signature.toByteArray()).value(), nowMillis);
        }
    }

    Hash root(long... sequences) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (long sequence : sequences) {
            interval.add(sequence, signatures.get((int) sequence));
        }
        return interval.root();
    }

    static UnackedRecords failed(long begin, long end) {
        return new UnackedRecords(List.of(new SequenceRange(begin, end)), false, Optional.empty());
    }
}
