package dev.stormproof.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.audit.KafkaPartitionReader;
import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.TrustedKeys;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.SharedKafka;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedKafka.class)
@Timeout(60)
class PartitionReadersTest {
    private static final LogRecordParser PARSER =
            new LogRecordParser("signature", List.of(), new CheckpointVerifier(TrustedKeys.none(), false));

    @Test
    void aReaderStaysOpenUntilTooManyOthersWereUsedSince(EmbeddedKafka kafka) {
        String topic = SharedKafka.createTopic(kafka, "readers", PartitionReaders.MAX_OPEN + 1);
        try (PartitionReaders readers =
                new PartitionReaders(Map.of("bootstrap.servers", kafka.bootstrapServers()), PARSER)) {
            KafkaPartitionReader first = readers.of(new TopicPartition(topic, 0));
            KafkaPartitionReader second = readers.of(new TopicPartition(topic, 1));
            for (int partition = 2; partition < PartitionReaders.MAX_OPEN; partition++) {
                assertThat(readers.of(new TopicPartition(topic, partition)).endOffset())
                        .isZero();
            }
            assertThat(readers.of(new TopicPartition(topic, 0))).isSameAs(first);

            readers.of(new TopicPartition(topic, PartitionReaders.MAX_OPEN));

            assertThat(readers.of(new TopicPartition(topic, 0))).isSameAs(first);
            assertThatThrownBy(second::endOffset).isInstanceOf(IllegalStateException.class);
            assertThat(readers.of(new TopicPartition(topic, 1)).endOffset()).isZero();
        }
    }
}
