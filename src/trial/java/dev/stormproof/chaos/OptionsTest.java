package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options as a person types them, and results over several runs. */
@Tag("full")
class OptionsTest {
    @TempDir
    static Path directory;

    @Test
    void faultsAreChosenByName() {
        assertThat(Options.parse("--faults", "worker-kill,broker-stop").faults())
                .containsExactly(ClusterFault.WORKER_KILL, ClusterFault.BROKER_STOP);
    }

    @Test
    void allIsWhatTheClusterCanHave() {
        assertThat(all("--brokers", "3", "--supervisors", "2")).containsExactly(ClusterFault.values());
        assertThat(all("--brokers", "3", "--supervisors", "2", "--placement", "source"))
                .hasSize(ClusterFault.values().length - 1)
                .doesNotContain(ClusterFault.CONNECTION_CUT);
        assertThat(all("--brokers", "3", "--supervisors", "2", "--deliver"))
                .hasSize(ClusterFault.values().length - 1)
                .doesNotContain(ClusterFault.UNCLEAN_ELECTION);
        assertThat(all("--brokers", "3", "--supervisors", "2", "--hold")).doesNotContain(ClusterFault.UNCLEAN_ELECTION);
        assertThat(all("--brokers", "3", "--supervisors", "2", "--placement", "verify"))
                .contains(ClusterFault.WORKER_STOP, ClusterFault.RESUBMIT, ClusterFault.BROKER_KILL)
                .noneMatch(ClusterFault::needsStorm);
        assertThat(all())
                .contains(ClusterFault.BROKER_KILL)
                .doesNotContain(ClusterFault.SUPERVISOR_LOSS, ClusterFault.LEADER_MOVE);
    }

    private static List<ClusterFault> all(String... arguments) {
        List<String> more = new ArrayList<>(List.of(arguments));
        Collections.addAll(more, "--faults", "all");
        return Options.parse(more.toArray(String[]::new)).faults();
    }

    @Test
    void whatIsWrongIsNamed() {
        assertRefused("there is no fault flood; there are [worker-kill,", "--faults", "flood");
        assertRefused("--count is at least 1, not 0", "--count", "0");
        assertRefused("--rate is a number, not fast", "--rate", "fast");
        assertRefused("--seed needs a value", "--seed");
        assertRefused("--placement is one of bolt, source, verify, not sink", "--placement", "sink");
        assertRefused(
                "connection-cut: with --placement source there are no connections to cut",
                "--placement",
                "source",
                "--faults",
                "connection-cut");
        assertRefused("leader-move: want --brokers 3", "--faults", "leader-move");
        assertRefused("supervisor-loss: want --supervisors 2", "--faults", "supervisor-loss");
        assertRefused(
                "unclean-election: with --deliver the output keeps what the input loses", "--brokers",
                "3", "--deliver",
                "--faults", "unclean-election");
        assertRefused("unknown option --hard", "--hard");
    }

    @Test
    void aRunAppendsToTheResultsOfAnother() throws Exception {
        Results results = new Results(directory.resolve("new").resolve("results.jsonl"));
        Result first = result(ClusterFault.WORKER_KILL, 12.3, 0);
        Result second = result(ClusterFault.WORKER_KILL, 14.3, 1);

        results.append(first);
        results.append(second);

        assertThat(results.read()).containsExactly(first, second);
        assertThat(first.isGood()).isTrue();
        assertThat(second.isGood()).isFalse();
        assertThat(Results.table(List.of(first, second)))
                .contains("| `worker-kill` | 2 | 2,000 | 10 | 10 | 1 | 0 | 0 | 13.3, at most 14.3 |")
                .contains("1 rounds were not as they should be");
    }

    @Test
    void aRoundThatCouldNotBeComparedCountsNowhereButIsShown() {
        Result cutShort = Result.failed(Instant.EPOCH, ClusterFault.WORKER_KILL, 8, "the broker does not answer");

        String table = Results.table(List.of(result(ClusterFault.WORKER_KILL, 12.3, 0), cutShort));

        assertThat(table).contains("| `worker-kill` | 1 | 1,000 |").contains("| all | 1 | 1,000 |");
        assertThat(table).contains("1 rounds were not as they should be").contains("the broker does not answer");
    }

    private static Result result(ClusterFault fault, double seconds, long falseAlerts) {
        return new Result(
                Instant.EPOCH, fault, 7, "port 1", 1_000, 20, 0, 5, 5, 0, falseAlerts, 0, 0, 3, 0, seconds, 0, 0, "");
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> Options.parse(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
