package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.local.Stages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify} before a Kafka that is not there. */
@Tag(Stages.BROKER)
@Timeout(120)
class VerifyCommandTest {
    /** As of a service in Kubernetes while none of its brokers is ready. */
    @Test
    void itWaitsForABrokerWhoseNameCannotBeResolved(@TempDir Path dir) throws Exception {
        Path config = dir.resolve("verify.properties");
        Files.write(config, List.of("bootstrap.servers=kafka.invalid:9092", "group.id=g", "input.topics=orders"));

        try (Shell.Running verify = Shell.start("verify", "--config", config.toString())) {
            String said = verify.awaitErr("kafka.invalid:9092 does not answer; waiting");

            assertThat(said).contains("no name in bootstrap.servers=kafka.invalid:9092 can be resolved; waiting");
        }
    }
}
