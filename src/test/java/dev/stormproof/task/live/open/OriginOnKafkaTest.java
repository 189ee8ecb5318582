package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.live.testing.PaperLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The audit of a copy of a log finds on which hop each anomaly came about. */
@OnKafka
class OriginOnKafkaTest {
    @Test
    void theAuditOfACopyNamesTheHopOfEachAnomaly(EmbeddedKafka kafka) throws Exception {
        String origin = SharedKafka.createTopic(kafka, "origin", 1);
        String copy = SharedKafka.createTopic(kafka, "copy", 1);
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(origin, 1, 30, 15, Map.of());
        // Checkpoint 0 comes first.
        records.add(5, records.get(4));
        SharedKafka.send(kafka, records);
        records.removeIf(record -> record.value() != null && new String(record.value(), UTF_8).endsWith(" 20"));
        records.replaceAll(record -> new ProducerRecord<>(copy, 0, record.key(), record.value(), record.headers()));
        SharedKafka.send(kafka, records);

        Shell.Result audit = Shell.line("audit --json --bootstrap-server " + kafka.bootstrapServers() + " --topic "
                        + copy + " --origin " + origin + " --origin-bootstrap-server " + kafka.bootstrapServers())
                .ends(ExitCode.VIOLATED);

        List<String> hops = new ArrayList<>();
        for (String line : audit.out().lines().toList()) {
            for (JsonNode anomaly : new ObjectMapper().readTree(line).path("anomalies")) {
                hops.add(anomaly.path("kind").asText() + " " + anomaly.path("begin") + " "
                        + anomaly.path("hop").asText());
            }
        }
        assertThat(hops).containsExactlyInAnyOrder("duplicated 3 before-origin", "lost 20 between-logs");
    }
}
