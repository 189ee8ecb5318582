package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.packaging.testing.ClusterScript;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * {@code scripts/cluster} without a cluster: its usage, and the processes that it takes for its own. Sleeping ones stand in for
 * them here, under the names of others.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@Timeout(120)
class ClusterScriptTest {
    private final ClusterScript cluster = new ClusterScript("test-" + UUID.randomUUID());
    private final List<Process> sleepers = new ArrayList<>();

    @BeforeEach
    void makeACluster() throws IOException {
        Files.createDirectories(cluster.dir().resolve("pids"));
        Files.writeString(cluster.dir().resolve("settings"), "base=20000\nslots=2\n");
    }

    @AfterEach
    void endAll() {
        sleepers.forEach(Process::destroyForcibly);
        cluster.run("down", "--purge").done();
    }

    @Test
    void downEndsItsDaemonsAndWorkers() throws Exception {
        Process nimbus = sleeper("java -Dstorm.log.dir=" + cluster.dir() + "/logs -Dlogfile.name=nimbus-1.log ");
        isPartOf("nimbus-1", nimbus);
        Process worker =
                sleeper("/usr/bin/java -Dstorm.local.dir=" + cluster.dir() + "/storm-local-1 -Dworker.port=1 ");

        cluster.run("down").done();

        assertThat(nimbus.isAlive()).isFalse();
        assertThat(worker.isAlive()).isFalse();
    }

    @Test
    void downLeavesAProcessAloneThatOnlyHasThePidOfAFormerOne() throws Exception {
        Process other = sleeper("java -Dstorm.log.dir=/elsewhere/logs -Dlogfile.name=nimbus-1.log ");
        isPartOf("nimbus-1", other);

        cluster.run("down").done();

        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void downLeavesTheWorkersOfAnotherClusterAlone() throws Exception {
        Process other =
                sleeper("/usr/bin/java -Dstorm.local.dir=" + cluster.dir() + "2/storm-local-1 -Dworker.port=1 ");

        cluster.run("down").done();

        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void aProcessThatWasStoppedIsEndedToo() throws Exception {
        Process nimbus = sleeper("java -Dstorm.log.dir=" + cluster.dir() + "/logs -Dlogfile.name=nimbus-1.log ");
        isPartOf("nimbus-1", nimbus);
        new ProcessBuilder("kill", "-STOP", Long.toString(nimbus.pid())).start().waitFor();

        cluster.run("down").done();

        assertThat(nimbus.isAlive()).isFalse();
    }

    @Test
    void statusFailsAndTellsWhatDoesNotRun() {
        ClusterScript.Result status = cluster.run("status");

        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.printed()).contains("nimbus-1     127.0.0.1:20001  does not run");
    }

    @Test
    void aClusterStaysOnItsPorts() {
        assertUsage("cluster " + name() + " is on the ports from 20000", "up", "--port-base", "21000");
    }

    @Test
    void wrongUsageIsToldInOneLine() {
        assertUsage("want a command");
        assertUsage("there is no command fly", "fly");
        assertUsage("up: unknown argument --fast", "up", "--fast", "x");
        assertUsage("--supervisors and --nimbus are numbers", "up", "--brokers", "many");
        assertUsage("cluster " + name() + " has --brokers 1", "up", "--brokers", "3");
        assertUsage("process: want start, stop, crash, pause or resume", "process", "stop", "broker-2");
        assertUsage("up: --storm wants KEY=VALUE", "up", "--storm", "supervisor.worker.timeout.secs");
        assertUsage("up: --kafka wants KEY=VALUE", "up", "--kafka", "min.insync.replicas");
        assertUsage("submit: --config is missing", "submit");
        assertUsage("rebalance: want a topology and -n WORKERS", "rebalance", "t");
        assertUsage("kill: want one topology", "kill");
        assertUsage("logs: there is no part nimbusses", "logs", "nimbusses");
        assertUsage("down: unknown argument --now", "down", "--now");
    }

    @Test
    void helpTellsEveryCommand() {
        String help = cluster.run("--help").done().printed();

        for (String command : new String[] {"up", "submit", "status", "rebalance", "process", "logs", "kill", "down"}) {
            assertThat(help).contains("  scripts/cluster " + command);
        }
    }

    private void assertUsage(String message, String... arguments) {
        ClusterScript.Result result = cluster.run(arguments);

        assertThat(result.exitCode()).as(result.printed()).isEqualTo(64);
        assertThat(result.printed().lines()).singleElement().asString().contains(message);
    }

    private String name() {
        return String.valueOf(cluster.dir().getFileName());
    }

    private void isPartOf(String part, Process process) throws IOException {
        Files.writeString(cluster.dir().resolve("pids").resolve(part), process.pid() + "\n");
    }

    private Process sleeper(String commandLine) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", "exec -a \"$0\" sleep 600", commandLine).start();
        sleepers.add(process);
        while (!ClusterScript.commandLine(process.pid()).startsWith(commandLine)) {
            Thread.onSpinWait();
        }
        return process;
    }
}
