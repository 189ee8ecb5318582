package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code broker} runs the embedded broker. */
@Tag(Stages.BROKER)
class BrokerCommandTest {
    private static final Pattern SERVES = Pattern.compile("Kafka serves at (\\S+), data in (\\S+); Ctrl-C ends it");

    @Test
    void itServesUntilItIsToldToStopAndLeavesNothing() throws Exception {
        try (Shell.Running broker =
                Shell.start("dev", "broker", "--port", "0", "--topic", "events:2", "--topic", "alerts")) {
            Matcher serves = SERVES.matcher(broker.awaitOut("Ctrl-C ends it"));
            assertThat(serves.find()).isTrue();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", serves.group(1)))) {
                assertThat(admin.listTopics().names().get()).containsExactlyInAnyOrder("events", "alerts");
            }
            Path data = Path.of(serves.group(2));
            assertThat(data).isDirectory();

            broker.process().destroy();

            Shell.Result result = broker.await();
            assertThat(result.err()).isEmpty();
            assertThat(result.leftovers()).isEmpty();
            assertThat(data).doesNotExist();
        }
    }

    /** Later each time: right after its directory was made, in the middle of Kafka's start, at its end. */
    @ParameterizedTest
    @ValueSource(strings = {"", "meta.properties", "__cluster_metadata-0"})
    void interruptedWhileKafkaStartsItSaysSoAndLeavesNothing(String reached) throws Exception {
        try (Shell.Running broker = Shell.start("dev", "broker", "--port", "0")) {
            awaitDirectory(broker, reached);

            broker.process().destroy();

            Shell.Result result = broker.await();
            assertThat(result.err()).as(result.toString()).isIn("", "stormproof: interrupted\n");
            assertThat(result.leftovers()).isEmpty();
        }
    }

    private static void awaitDirectory(Shell.Running broker, String reached) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            try (Stream<Path> files = Files.list(broker.dir().resolve("tmp"))) {
                if (files.anyMatch(dir -> Files.exists(dir.resolve(reached)))) {
                    return;
                }
            }
        }
        throw new AssertionError("no directory was made");
    }

    @Test
    void aPortInUseIsSaidSo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Shell.Result result = Shell.here("dev", "broker", "--port", Integer.toString(taken.getLocalPort()))
                    .ends(ExitCode.FAILED);

            assertThat(result.err())
                    .isEqualTo(
                            "stormproof: port " + taken.getLocalPort() + " on 127.0.0.1 is in use; stop what uses it,"
                                    + " or take another one with --port" + System.lineSeparator());
        }
    }
}
