package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code local} runs the topology against an existing Kafka, with the other commands around it. */
@Tag(Stages.CLUSTER)
@OnKafka
class LocalCommandTest {
    @TempDir
    private Path dir;

    @Test
    void whatIsEmittedIsVerifiedAndWhatIsUnsignedIsAnAlert(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "local", 2);
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        kafka.createTopic(topic + "-verdicts", 1, Map.of());
        Path input = Files.write(dir.resolve("app.log"), List.of("a", "b", "c", "d", "e"));
        Shell.line("dev emit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic + " --input "
                        + input)
                .ends(0);

        try (Shell.Running local =
                Shell.startOnTerminal("dev", "local", "--config", config(kafka.bootstrapServers(), topic))) {
            local.awaitOut("runs in this process; Ctrl-C ends it");
            // Of each partition: the first checkpoint, over nothing, and the closing one.
            alerts(kafka, topic + "-verdicts", 4).ends(ExitCode.VERIFIED);

            try (var producer = new KafkaProducer<String, String>(Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "key.serializer", "org.apache.kafka.common.serialization.StringSerializer",
                    "value.serializer", "org.apache.kafka.common.serialization.StringSerializer"))) {
                producer.send(new ProducerRecord<>(topic, 1, null, "unsigned")).get();
            }
            Shell.Result alert = alerts(kafka, topic + "-alerts", 1).ends(ExitCode.VIOLATED);
            assertThat(alert.out()).contains("ALERT stray record (unsigned) at " + topic + "-1@");

            local.process().destroy();
            Shell.Result result = local.await();
            // Behind it stands how far it is, drawn over itself.
            assertThat(result.err().lines())
                    .first()
                    .asString()
                    .contains("verifying " + topic + " at " + kafka.bootstrapServers(), topic + "-alerts");
            assertThat(result.err().lines())
                    .last()
                    .asString()
                    .contains(
                            "stormproof: ended; judged up to the ends of 2 partitions, 5 events read, 0 open, 1 alert");
            assertThat(result.leftovers()).isEmpty();
        }
    }

    private static Shell.Result alerts(EmbeddedKafka kafka, String topic, int count) {
        return Shell.line("alerts --bootstrap-server " + kafka.bootstrapServers() + " --alerts-topic " + topic
                + " --from-beginning --max-messages " + count + " --idle-timeout 120");
    }

    private String config(String bootstrapServers, String topic) throws IOException {
        return Files.write(
                        dir.resolve("verify.properties"),
                        List.of(
                                "bootstrap.servers=" + bootstrapServers,
                                "group.id=" + topic,
                                "input.topics=" + topic,
                                "alerts.topic=" + topic + "-alerts",
                                "verdicts.topic=" + topic + "-verdicts"))
                .toString();
    }
}
