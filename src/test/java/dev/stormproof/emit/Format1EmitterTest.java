package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Format1EmitterTest {
    private static final long START = 1_000_000;

    private final List<String> signatures = new ArrayList<>();

    private static Format1Emitter emitter(Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(EmitterConfig.FORMAT, 1);
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        EmitterConfig config = new EmitterConfig(all);
        return new Format1Emitter(config, new MaxMessageBytes("t", config.maxBytes, () -> {}));
    }

    private void events(Format1Emitter emitter, int count, long nowMillis) {
        for (int i = 0; i < count; i++) {
            byte[] value = ("value " + signatures.size()).getBytes(StandardCharsets.UTF_8);
            Hash signature = EventSigners.sha1().sign(null, value);
            signatures.add(signature.toHex());
            emitter.eventSent(emitter.eventHeader(signature.toByteArray()).value(), nowMillis);
        }
    }

    private static List<String> leaves(PendingCheckpoint pending) throws Exception {
        Format1Checkpoint checkpoint = Format1Codec.decode("t", 0, pending.bytes);
        List<String> leaves = new ArrayList<>();
        for (int i = 0; i < checkpoint.signatures().count(); i++) {
            leaves.add(new String(checkpoint.signatures().signature(i).toByteArray(), StandardCharsets.UTF_8));
        }
        return leaves;
    }

    @Test
    void anEventCarriesTheHexadecimalSha1OfItsValue() {
        Format1Emitter emitter = emitter(EmitterConfig.SIGNATURE_HEADER, "sig");
        Hash abc = EventSigners.sha1().sign(null, "abc".getBytes(StandardCharsets.UTF_8));
        assertThat(emitter.eventHeader(abc.toByteArray()).key()).isEqualTo("sig");
        assertThat(new String(emitter.eventHeader(abc.toByteArray()).value(), StandardCharsets.UTF_8))
                .isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
        assertThat(emitter.isFormat2()).isFalse();
    }

    @Test
    void aCheckpointHoldsTheSignaturesSinceThePreviousOne() throws Exception {
        Format1Emitter emitter = emitter();
        events(emitter, 3, START);
        PendingCheckpoint first = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(first, START);
        events(emitter, 2, START);
        PendingCheckpoint second = emitter.seal(START, -1).orElseThrow();
        assertThat(leaves(first)).isEqualTo(signatures.subList(0, 3));
        assertThat(leaves(second)).isEqualTo(signatures.subList(3, 5));
        assertThat(emitter.eventCount()).isEqualTo(5);
    }

    @Test
    void aSingleEventWaitsForASecond() throws Exception {
        Format1Emitter emitter = emitter(EmitterConfig.MAX_INTERVAL_MS, 100L);
        assertThat(emitter.seal(START, -1)).isEmpty();
        events(emitter, 1, START);
        assertThat(emitter.isDue(START + 1_000)).isFalse();
        assertThat(emitter.seal(START + 1_000, -1)).isEmpty();
        assertThat(emitter.closing(START + 1_000, -1, UnackedRecords.NONE)).isEmpty();
        events(emitter, 1, START + 1_000);
        assertThat(emitter.isDue(START + 1_000)).isTrue();
        assertThat(leaves(emitter.closing(START, -1, UnackedRecords.NONE).orElseThrow()))
                .isEqualTo(signatures);
    }

    @Test
    void thereAreNoHeartbeats() {
        Format1Emitter emitter = emitter();
        assertThat(emitter.needsOpening()).isFalse();
        assertThat(emitter.isDue(START + 1_000_000)).isFalse();
    }

    @Test
    void aCheckpointIsDueByCountAndBySizeAndStaysBelowIt() {
        Format1Emitter byCount = emitter(EmitterConfig.MAX_EVENTS, 3);
        events(byCount, 2, START);
        assertThat(byCount.isDue(START)).isFalse();
        events(byCount, 1, START);
        assertThat(byCount.isDue(START)).isTrue();

        for (int maxBytes : new int[] {2_000, 5_000, 100_000}) {
            Format1Emitter bySize = emitter(EmitterConfig.MAX_BYTES, maxBytes, EmitterConfig.MAX_EVENTS, 1_000_000);
            while (!bySize.isFull()) {
                events(bySize, 1, START);
            }
            assertThat(bySize.seal(START, -1).orElseThrow().bytes.length).isLessThanOrEqualTo(maxBytes);
        }
    }

    @Test
    void restoreReturnsToTheSavedStateAlsoWithinAnInterval() throws Exception {
        Format1Emitter emitter = emitter();
        events(emitter, 1, START);
        StreamState saved = emitter.savedState();
        events(emitter, 3, START);
        emitter.checkpointSent(emitter.seal(START, -1).orElseThrow(), START);
        emitter.restore(saved);
        assertThat(emitter.eventCount()).isOne();
        assertThat(emitter.lastNumber()).isEqualTo(-1);
        signatures.subList(1, 4).clear();
        events(emitter, 1, START);
        assertThat(leaves(emitter.seal(START, -1).orElseThrow())).isEqualTo(signatures);
    }
}
