package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.Main;
import dev.stormproof.cli.input.EventSource;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.SourceEmitter;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** An exit code says no more than is true: a failure is no verdict. */
class ExitCodeTest {
    private final StringWriter err = new StringWriter();

    /** A transform that cannot be loaded, as if its jar were broken. */
    public static final class Unloadable {
        static final int VALUE = Integer.parseInt("none");
    }

    @Command(name = "closing")
    private static final class FailsToClose extends Subcommand {
        @Override
        int run(CloseStack resources) throws Exception {
            AutoCloseable file = resources.open(() -> () -> {
                throw new IOException("No space left on device");
            });
            return file == null ? ExitCode.FAILED : ExitCode.VIOLATED;
        }
    }

    @Test
    void outputThatCannotBeWrittenIsAFailureWhateverWentBefore() {
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] chars, int begin, int count) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });

        assertThat(Main.run(new String[] {"--version"}, full, new PrintWriter(err, true)))
                .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("stormproof: standard output").hasLineCount(1);
    }

    @Test
    void anOutputFileThatCannotBeClosedIsAFailureWhateverWentBefore() {
        int exitCode = new CommandLine(new FailsToClose())
                .setErr(new PrintWriter(err, true))
                .execute();

        assertThat(exitCode).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("No space left on device");
    }

    @Test
    void anErrorIsOneLineAndAFailure() {
        Shell.Result result = Shell.here("run", "--events", "1", "--transform", Unloadable.class.getName())
                .ends(ExitCode.FAILED);

        assertThat(result.err())
                .startsWith("stormproof: unexpected ExceptionInInitializerError")
                .hasLineCount(1);
    }

    @Test
    void aTruststoreThatIsNotThereIsNamed(@TempDir Path dir) throws IOException {
        Path client = Files.writeString(
                dir.resolve("client.properties"),
                "security.protocol=SSL\nssl.truststore.location=no-such-truststore.jks\n");
        Path topology = Files.writeString(
                dir.resolve("topology.properties"),
                Files.readString(client) + "bootstrap.servers=127.0.0.1:1\ninput.topics=t\ngroup.id=g\n");

        for (Shell.Result result : List.of(
                Shell.here("alerts", "--bootstrap-server", "127.0.0.1:1", "--command-config", client.toString()),
                Shell.here("dev", "local", "--config", topology.toString()))) {
            assertThat(result.exitCode()).isIn(ExitCode.USAGE, ExitCode.FAILED);
            assertThat(result.err())
                    .contains("there is no file no-such-truststore.jks")
                    .hasLineCount(1);
        }
    }

    @Test
    void anErrorOnTheEmittersThreadEndsTheEmission() {
        EventSource source = new EventSource() {
            @Override
            public void forEach(Visitor visitor) {
                throw new LinkageError("a broken jar");
            }

            @Override
            public String title() {
                return "test";
            }

            @Override
            public String unit() {
                return "line";
            }
        };
        var producer = new CheckpointingProducer<>(
                Map.of("bootstrap.servers", "127.0.0.1:1"),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                settings -> new MockProducer<byte[], byte[]>(
                        false, null, new ByteArraySerializer(), new ByteArraySerializer()));
        try (SourceEmitter emitter = new SourceEmitter(source, producer, "t", 1)) {
            emitter.run();

            assertThatThrownBy(emitter::isComplete)
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("unexpected LinkageError: a broken jar");
        }
    }
}
