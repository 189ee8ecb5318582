package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.live.testing.PaperLog;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches of a few kilobytes that unpack to much more stop no audit. */
@OnKafka
@Timeout(120)
class AuditOfBombsTest {
    private static final int BOMB_BYTES = 70_000_000;

    private final EmbeddedKafka kafka;

    AuditOfBombsTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records, Map<String, Object> more) throws Exception {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(new ProducerRecord<>(
                                record.topic(), record.partition(), record.key(), record.value(), record.headers()))
                        .get();
            }
        }
    }

    /** Seventy kilobytes in the log: it is told where it lies, its interval is not verified, and what lies behind it is judged. */
    @Test
    void aRecordThatIsTooLargeOnceItIsUnpackedIsToldAndTheRestIsJudged() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "bomb", 1);
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(topic, 1, 40, 10, Map.of());
        records.add(30, records.get(30));
        send(records.subList(0, 15), Map.of());
        send(
                List.of(new ProducerRecord<>(topic, 0, null, new byte[BOMB_BYTES])),
                Map.of(
                        "compression.type",
                        "gzip",
                        "max.request.size",
                        2 * BOMB_BYTES,
                        "buffer.memory",
                        2L * BOMB_BYTES));
        send(records.subList(15, records.size()), Map.of());

        Shell.Result result = Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic);

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(result.out())
                .contains("duplicated  sequence 27  " + topic + "-0@32  2 copies")
                .contains("stray record (oversized) at " + topic + "-0@15")
                .contains("oversized-record");
    }
}
