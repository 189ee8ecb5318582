package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which emitters may write to a topic. */
class AllowedEmittersTest {
    private static boolean allows(String pattern, String name) {
        return new AllowedEmitters(Map.of("orders", List.of(pattern))).allows("orders", name);
    }

    @Test
    void aPatternIsANameInWhichAStarStandsForAnything() {
        assertThat(allows("shop", "shop")).isTrue();
        assertThat(allows("shop", "shop-1")).isFalse();
        assertThat(allows("shop", "a-shop")).isFalse();
        assertThat(allows("shop-*", "shop-")).isTrue();
        assertThat(allows("shop-*", "shop-1.eu")).isTrue();
        assertThat(allows("shop-*", "shop")).isFalse();
        assertThat(allows("*-eu", "shop-1-eu")).isTrue();
        assertThat(allows("s*p-*-eu", "stop-shop-1-eu")).isTrue();
        assertThat(allows("s*p-*-eu", "stop-shop-1-us")).isFalse();
        assertThat(allows("*", "")).isTrue();
        assertThat(allows("a.c", "abc")).as("nothing else stands for another").isFalse();
    }

    @Test
    void whereNoPatternIsEveryEmitterMayWrite() {
        AllowedEmitters allowed =
                new AllowedEmitters(Map.of("orders", List.of("shop"), "payments", List.of("till", "bank")));
        assertThat(allowed.allows("orders", "till")).isFalse();
        assertThat(allowed.allows("payments", "bank")).isTrue();
        assertThat(allowed.allows("returns", "anybody")).isTrue();
        assertThat(AllowedEmitters.ALL.allows("orders", "")).isTrue();

        AllowedEmitters everywhere =
                new AllowedEmitters(Map.of("orders", List.of("shop"), AllowedEmitters.EVERY_TOPIC, List.of("test-*")));
        assertThat(everywhere.allows("orders", "shop")).isTrue();
        assertThat(everywhere.allows("orders", "test-1")).isTrue();
        assertThat(everywhere.allows("returns", "shop")).isFalse();
    }

    /** A stranger chooses his name: none costs more than the product of its length and the pattern's. */
    @Test
    void aHostileNameCostsLittle() {
        String pattern = "*a".repeat(100) + "b";
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(allows(pattern, "a".repeat(255))).isFalse());
    }

    @Test
    void aCheckpointIsReadAndMarkedByTheNameThatItStates() {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 7), TreeHash.XXH3, true);
        byte[] bytes = CheckpointCodec.encode(
                (Format2Checkpoint) emitter.checkpoint().apply(0).checkpoint());
        assertThat(read(List.of("sim"), bytes).unlisted()).isFalse();
        CheckpointRecord stranger = read(List.of("shop"), bytes);
        assertThat(stranger.unlisted()).isTrue();
        assertThat(stranger.withoutLeaves().unlisted()).isTrue();
    }

    private static CheckpointRecord read(List<String> patterns, byte[] bytes) {
        Map<String, byte[]> headers = Map.of(Format2Checkpoint.HEADER, bytes);
        return (CheckpointRecord) new LogRecordParser(
                        Origins.NONE,
                        Format1Expected.everywhere(),
                        List.of(),
                        new CheckpointVerifier(TrustedKeys.none()),
                        new AllowedEmitters(Map.of("orders", patterns)))
                .parse("orders", 0, 0, 0, null, null, headers::get, null);
    }
}
