package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.emit.testing.Clients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify} says how far it is, and waits for a Kafka that is not there. */
@Tag(Stages.BROKER)
@OnKafka
@Timeout(240)
class WatchCommandTest {
    @Test
    void itSaysUpToWhenEverythingIsVerified(EmbeddedKafka kafka, @TempDir Path dir) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "verified", 1);
        String alerts = SharedKafka.createTopic(kafka, "alerts", 1);
        Path input = Files.write(dir.resolve("app.log"), List.of("a", "b", "c"));
        String server = kafka.bootstrapServers();
        Shell.here("dev", "emit", "--bootstrap-server", server, "--topic", topic, "--input", input.toString())
                .ends(0);
        Path config = Files.write(
                dir.resolve("verify.properties"),
                List.of(
                        "bootstrap.servers=" + server,
                        "group.id=" + topic,
                        "input.topics=" + topic,
                        "alerts.topic=" + alerts));

        try (Shell.Running verify = Shell.startOnTerminal("watch", "--config", config.toString())) {
            verify.awaitErr("stormproof: verifying");
            Path said = verify.dir().resolve("err");
            Clients.await("its status", () -> contains(said, "judged up to the end of 1 partition, 3 events read"));
            verify.process().destroy();
            assertThat(verify.await().err()).contains("stormproof: ended; judged up to the end of 1 partition");
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As of a service in Kubernetes while none of its brokers is ready. */
    @Test
    void itWaitsForABrokerWhoseNameCannotBeResolved(@TempDir Path dir) throws Exception {
        Path config = dir.resolve("verify.properties");
        Files.write(config, List.of("bootstrap.servers=kafka.invalid:9092", "group.id=g", "input.topics=orders"));

        try (Shell.Running verify = Shell.start("watch", "--config", config.toString())) {
            String said = verify.awaitErr("kafka.invalid:9092 does not answer; waiting");

            assertThat(said).contains("no name in bootstrap.servers=kafka.invalid:9092 can be resolved; waiting");
        }
    }
}
