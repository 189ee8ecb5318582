package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
    @TempDir
    private Path dir;

    @Test
    void aConfigurationWithoutMistakesIsGood() throws IOException {
        Path file = write("bootstrap.servers=k:9092", "group.id=g", "input.topics=orders");

        Shell.Result result = Shell.here("config", "check", file.toString()).ends(0);

        assertThat(result.out()).isEqualTo(file + ": no mistake\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void everyMistakeIsALine() throws IOException {
        Path file = write("bootstrap.severs=k:9092", "bootstrap.servers=k:9092", "group.id=g", "workers=0");

        Shell.Result result = Shell.here("config", "check", file.toString()).ends(ExitCode.USAGE);

        assertThat(result.out().lines())
                .hasSize(4)
                .startsWith(file + ": 3 mistakes")
                .contains("  unknown key bootstrap.severs; did you mean bootstrap.servers?")
                .contains("  set exactly one of input.topics and input.topics.pattern");
    }

    private Path write(String... lines) throws IOException {
        return Files.write(dir.resolve("verify.properties"), List.of(lines));
    }
}
