package dev.stormproof.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.guards.Guards;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the producer of a task may take. */
class ProducerLimitsTest {
    private static Object transactionMillis(String... more) {
        Map<String, String> properties = new HashMap<>(
                Map.of("bootstrap.servers", "localhost:9092", "group.id", "orders", "input.topics", "orders"));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        StormproofConfig config = new StormproofConfig(properties);
        return ProducerLimits.of(config, 0).properties(config).get("transaction.timeout.ms");
    }

    @Test
    @Guards("transaction-outlasts-a-hanging-transform")
    void aTransactionLastsLongerThanATransformThatHangsAtEachAttempt() {
        assertThat(transactionMillis()).isEqualTo(30_000);
        assertThat(transactionMillis("output.topic", "out")).isEqualTo(80_000);
        assertThat(transactionMillis("output.topic", "out", "transform.timeout.ms", "60000"))
                .isEqualTo(330_000);
        assertThat(transactionMillis("output.topic", "out", "transform.timeout.ms", Long.toString(Long.MAX_VALUE)))
                .as("what brokers allow")
                .isEqualTo(900_000);
        assertThat(transactionMillis("output.topic", "out", "producer.transaction.timeout.ms", "20000"))
                .isEqualTo("20000");
    }
}
