package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StreamIdTest {
    @Test
    void aStreamIsNamedByItsTopicPartitionAndEmitter() {
        assertThat(new StreamId("orders", 3, 0xab)).hasToString("orders-3/00000000000000ab");
        assertThat(new StreamId("orders", 3, -1).emitterHex()).isEqualTo("f".repeat(16));
    }

    @Test
    void eachOfThemMakesAnotherStream() {
        StreamId stream = new StreamId("orders", 3, 7);
        List<StreamId> others =
                List.of(new StreamId("payments", 3, 7), new StreamId("orders", 4, 7), new StreamId("orders", 3, 8));
        assertThat(stream)
                .isEqualTo(new StreamId("orders", 3, 7))
                .hasSameHashCodeAs(new StreamId("orders", 3, 7))
                .isNotIn(others)
                .isNotEqualTo("orders-3");
    }

    @Test
    void fewStreamsHaveOneHashCode() {
        Set<Integer> codes = new HashSet<>();
        for (int partition = 0; partition < 30; partition++) {
            for (long emitter = 1; emitter <= 30; emitter++) {
                codes.add(new StreamId("orders", partition, emitter).hashCode());
                codes.add(new StreamId("payments", partition, emitter).hashCode());
            }
        }
        assertThat(codes).hasSizeGreaterThan(1_700);
    }
}
