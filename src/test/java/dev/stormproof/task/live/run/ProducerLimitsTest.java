package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.task.config.StormproofConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

/** What the producer of a task may take. */
class ProducerLimitsTest {
    private static Object transactionMillis(String... more) {
        return Objects.requireNonNull(properties(more).get("transaction.timeout.ms"));
    }

    private static Map<String, Object> properties(String... more) {
        Map<String, String> properties = new HashMap<>(
                Map.of("bootstrap.servers", "localhost:9092", "group.id", "orders", "input.topics", "orders"));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        StormproofConfig config = new StormproofConfig(properties);
        return ProducerLimits.of(config, 0).properties(config);
    }

    @Test
    void aTransactionLastsLongerThanATransformThatHangsAtEachAttempt() {
        assertThat(transactionMillis("output.topic", "out")).isEqualTo(80_000);
        assertThat(transactionMillis("output.topic", "out", "transform.timeout.ms", "60000"))
                .isEqualTo(330_000);
        assertThat(transactionMillis("output.topic", "out", "transform.timeout.ms", Long.toString(Long.MAX_VALUE)))
                .as("what brokers allow")
                .isEqualTo(900_000);
        assertThat(transactionMillis("output.topic", "out", "flush.interval.ms", "60000"))
                .isEqualTo(184_000);
        assertThat(transactionMillis("output.topic", "out", "producer.transaction.timeout.ms", "75000"))
                .isEqualTo("75000");
    }

    @Test
    void aTransactionWithoutAnOutputIsShort() {
        assertThat(transactionMillis()).isEqualTo(30_000);
        assertThat(transactionMillis("producer.transaction.timeout.ms", "15000"))
                .isEqualTo("15000");
    }

    @Test
    void aTransactionThatBrokersWouldEndWhileItMayStillTakeTimeIsRefused() {
        assertThatThrownBy(() -> transactionMillis("output.topic", "out", "producer.transaction.timeout.ms", "74999"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("producer.transaction.timeout.ms")
                .hasMessageContaining("75000 ms")
                .hasMessageContaining("transform.timeout.ms");
        assertThatThrownBy(() -> transactionMillis("producer.transaction.timeout.ms", "14999"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("15000 ms");
    }

    /** A partition without a leader has the flush wait for so long, and the output is to wait with it. */
    @Test
    void aTransactionOutlastsTheWritingOfItsRecordsForAsLongAsThatIsTried() {
        assertThat(transactionMillis("producer.delivery.timeout.ms", "120000")).isEqualTo(120_000);
        assertThat(transactionMillis("output.topic", "out", "producer.delivery.timeout.ms", "120000"))
                .isEqualTo(180_000);
        assertThatThrownBy(() -> transactionMillis(
                        "producer.delivery.timeout.ms", "120000", "producer.transaction.timeout.ms", "119999"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("120000 ms");
    }

    @Test
    void aTransactionOutlastsTheWritingOfRecordsWhoseAnswersMayBeSlow() {
        assertOutlastsWriting("producer.request.timeout.ms");
    }

    @Test
    void aTransactionOutlastsTheWritingOfRecordsThatLinger() {
        assertOutlastsWriting("producer.linger.ms");
    }

    /** @param key what makes the writing of a record longer */
    private static void assertOutlastsWriting(String key) {
        Map<String, Object> properties = properties(key, "60000");
        int deliveryMillis = (int) Objects.requireNonNull(properties.get("delivery.timeout.ms"));
        assertThat(deliveryMillis).isGreaterThan(60_000);
        assertThat((int) Objects.requireNonNull(properties.get("transaction.timeout.ms")))
                .isGreaterThanOrEqualTo(deliveryMillis);
        assertThatThrownBy(() -> transactionMillis(key, "60000", "producer.transaction.timeout.ms", "60000"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(deliveryMillis + " ms");
    }

    @Test
    void aRecordIsTriedToBeWrittenForFifteenSecondsOrLongerThanOneAttempt() {
        assertThat(properties()).containsEntry("delivery.timeout.ms", 15_000);
        assertThat(properties("producer.linger.ms", Long.toString(Long.MAX_VALUE)))
                .containsEntry("delivery.timeout.ms", Integer.MAX_VALUE);
    }
}
