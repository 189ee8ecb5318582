package dev.stormproof.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Emitters of examples/python that are killed before a broker, and the next ones of their names. They need the package confluent-kafka: of
 * the Python that is here, or from PyPI in target/python, which is made once. Without both they are not tried, and say so.
 */
@OnKafka
// In a thread of its own: who waits for an answer of a process cannot be interrupted.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PythonRecoveryTest {
    private static final String NAME = "billing";
    /** So long that a loaded machine keeps it. */
    private static final long PROMISE_MILLIS = 4_000;

    private static final long DELIVERY_MILLIS = 4_000;
    private static final String OF_TESTS = String.join(File.pathSeparator, "examples/python", "src/test/python");
    private static final Path ENVIRONMENT = Path.of("target", "python");

    private static String python = "python3";

    private final EmbeddedKafka kafka;
    private final String topic;
    private final List<Emitter> emitters = new ArrayList<>();

    PythonRecoveryTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "python-recovery", 1);
    }

    @BeforeAll
    static void findPackages() throws Exception {
        String own =
                ENVIRONMENT.resolve("bin").resolve("python").toAbsolutePath().toString();
        for (String one : List.of(python, own)) {
            if (hasPackages(one)) {
                python = one;
                return;
            }
        }
        boolean made = succeeds(python, "-m", "venv", ENVIRONMENT.toString())
                && succeeds(
                        own, "-m", "pip", "install", "-q", "--retries", "0", "--timeout", "15", "./examples/python");
        if (!made || !hasPackages(own)) {
            abort("neither confluent-kafka for Python here, nor PyPI: the recovery of its emitter was not tried");
        }
        python = own;
    }

    private static boolean hasPackages(String one) throws Exception {
        return succeeds(one, "-c", "import confluent_kafka, xxhash");
    }

    private static boolean succeeds(String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notThere) {
            return false;
        }
        try {
            return process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that emits, see recovery_emitter.py. */
    private static final class Emitter {
        private final Process process;
        private final BufferedReader answers;
        private final Writer commands;

        Emitter(EmbeddedKafka kafka, String topic, String name, boolean recovers) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                            python,
                            "-B",
                            "src/test/python/recovery_emitter.py",
                            kafka.bootstrapServers(),
                            topic,
                            name,
                            Boolean.toString(recovers),
                            Long.toString(PROMISE_MILLIS),
                            Long.toString(DELIVERY_MILLIS))
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put("PYTHONPATH", OF_TESTS);
            this.process = builder.start();
            this.answers = process.inputReader(UTF_8);
            this.commands = process.outputWriter(UTF_8);
        }

        String ask(String command) throws IOException {
            tell(command);
            return Objects.requireNonNull(answers.readLine(), "the emitter is gone");
        }

        private void tell(String command) throws IOException {
            commands.write(command + "\n");
            commands.flush();
        }

        /** By itself, with SIGKILL. */
        void die(String how) throws Exception {
            tell("die " + how);
            assertThat(answers.readLine()).isNull();
            assertThat(process.waitFor()).isEqualTo(128 + 9);
        }
    }

    @AfterEach
    void endProcesses() throws Exception {
        for (Emitter emitter : emitters) {
            emitter.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatAKilledOneLeftOpenIsRecoveredByTheNextOneOfItsNameIfThatIsAskedFor() throws Exception {
        emitter(NAME, true).die("5");
        for (Emitter off : List.of(emitter(NAME, false), emitter("", true))) {
            assertThat(off.ask("send 1")).startsWith("off ");
            off.ask("close");
        }
        assertThat(audit().exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);

        Emitter next = emitter(NAME, true);
        assertThat(next.ask("send 3")).startsWith("watching ");
        assertThat(next.ask("recovered 60")).isEqualTo("recovered");
        next.ask("close");

        Shell.Result audit = audit("--json", "--all");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(recovered(audit)).singleElement().satisfies(verdict -> {
            assertThat(verdict.get("finding").asText()).isEqualTo("verified");
            assertThat(verdict.get("eventCount").asLong()).isEqualTo(5);
            assertThat(verdict.get("summary").asText()).contains("recovered: its emitter was gone", "nobody can say");
        });
        Shell.Result conformance =
                Shell.here("conformance", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic, "--json");
        assertThat(lines(conformance))
                .filteredOn(line -> line.path("case").asText().equals("recovered"))
                .singleElement()
                .satisfies(line -> assertThat(line.get("outcome").asText()).isEqualTo("pass"));
        assertThat(lines(conformance))
                .noneMatch(line -> line.path("outcome").asText().equals("fail"));
    }

    @Test
    void aLossInTheMiddleOfTheEndIsNamed() throws Exception {
        emitter(NAME, true).die("6 2 3");

        Emitter next = emitter(NAME, true);
        assertThat(next.ask("recovered 60")).isEqualTo("recovered");
        next.ask("close");

        Shell.Result audit = audit("--json");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(recovered(audit)).singleElement().satisfies(verdict -> {
            assertThat(verdict.get("anomalies")).hasSize(1);
            JsonNode lost = verdict.get("anomalies").get(0);
            assertThat(lost.get("kind").asText()).isEqualTo("lost");
            // Sequence 0 was sealed.
            assertThat(lost.get("begin").asLong()).isEqualTo(3);
            assertThat(lost.get("end").asLong()).isEqualTo(5);
        });
    }

    /** Both watch each other for longer than anybody who is gone is waited for; that they do is seen by what they say of those who were killed. */
    @Test
    void twoThatLiveRecoverThoseThatWereKilledAndNeverEachOther() throws Exception {
        emitter(NAME, true).die("3");
        Emitter first = emitter(NAME, true);
        Emitter second = emitter(NAME, true);
        String firstId = id(first.ask("send 1"));
        String secondId = id(second.ask("send 1"));
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * (PROMISE_MILLIS + DELIVERY_MILLIS));
        while (System.nanoTime() < untilNanos) {
            // Nothing but beats comes of the first one, and events of the second one.
            assertThat(first.ask("recovered 1")).isEqualTo("open");
            assertThat(id(second.ask("send 1"))).isEqualTo(secondId);
        }
        Set<String> gone = emitters(recovered(audit("--json", "--all")));
        assertThat(gone).hasSize(1).doesNotContain(firstId, secondId);

        first.die("2");
        assertThat(second.ask("recovered 60")).isEqualTo("recovered");
        second.ask("close");

        Shell.Result audit = audit("--json", "--all");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
        gone.add(firstId);
        assertThat(emitters(recovered(audit))).isEqualTo(gone);
    }

    private static String id(String answer) {
        assertThat(answer).startsWith("watching ");
        return answer.substring("watching ".length());
    }

    private static Set<String> emitters(List<JsonNode> verdicts) {
        return verdicts.stream()
                .map(verdict -> verdict.get("emitter").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Emitter emitter(String name, boolean recovers) throws IOException {
        Emitter emitter = new Emitter(kafka, topic, name, recovers);
        emitters.add(emitter);
        return emitter;
    }

    private Shell.Result audit(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic));
        arguments.addAll(Arrays.asList(more));
        return Shell.here(arguments.toArray(String[]::new));
    }

    private static List<JsonNode> recovered(Shell.Result audit) throws IOException {
        return lines(audit).stream()
                .filter(line -> line.path("recovery").asText().equals("recovered"))
                .toList();
    }

    private static List<JsonNode> lines(Shell.Result result) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : result.out().lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }
}
