package dev.stormproof.task.notary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** When a partition that could not be read is tried again. */
class UnreadPartitionsTest {
    private static final TopicPartition ONE = new TopicPartition("orders", 0);
    private static final TopicPartition OTHER = new TopicPartition("orders", 1);
    private static final TopicPartition WELL = new TopicPartition("orders", 2);

    private long nanos = Long.MAX_VALUE - 5;
    private final UnreadPartitions unread = new UnreadPartitions(() -> nanos);

    @Test
    void oneOfThoseThatFailIsTriedAgainAfterAPause() {
        unread.failed(ONE, new KafkaException("no answer"));
        unread.failed(OTHER, new KafkaException("no answer"));
        assertThat(List.of(ONE, OTHER)).allMatch(unread::rests);
        assertThat(unread.rests(WELL)).isFalse();
        assertThat(unread.areAll(List.of(ONE, OTHER))).isTrue();
        assertThat(unread.areAll(List.of(ONE, OTHER, WELL))).isFalse();

        nanos += TimeUnit.SECONDS.toNanos(UnreadPartitions.PAUSE_SECONDS);
        assertThat(unread.rests(ONE)).isFalse();
        unread.failed(ONE, new KafkaException("no answer"));
        assertThat(unread.rests(OTHER)).isTrue();
    }

    @Test
    void whatWasReadFailsNoMoreNorWhatIsNotThere() {
        unread.failed(ONE, new KafkaException("no answer"));
        unread.failed(OTHER, new KafkaException("no answer"));

        unread.wasRead(ONE);
        unread.lookedFor(Map.of("orders-1", new KafkaException("no leader")), List.of(ONE, WELL));

        assertThat(unread.rests(ONE)).isFalse();
        assertThat(unread.rests(OTHER)).isFalse();
    }
}
