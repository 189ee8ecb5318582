package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/** {@code broker} runs the embedded broker. */
class BrokerCommandTest {
    private static final Pattern SERVES = Pattern.compile("Kafka serves at (\\S+), data in (\\S+); Ctrl-C ends it");

    @Test
    void itServesUntilItIsToldToStopAndLeavesNothing() throws Exception {
        try (Shell.Running broker = Shell.start("broker", "--port", "0", "--topic", "events:2", "--topic", "alerts")) {
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

    @Test
    void aPortInUseIsSaidSo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Shell.Result result = Shell.here("broker", "--port", Integer.toString(taken.getLocalPort()));

            assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(result.err())
                    .isEqualTo(
                            "stormproof: port " + taken.getLocalPort() + " on 127.0.0.1 is in use; stop what uses it,"
                                    + " or take another one with --port" + System.lineSeparator());
        }
    }
}
