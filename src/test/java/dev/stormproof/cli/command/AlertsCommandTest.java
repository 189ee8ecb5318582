package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** {@code alerts} shows a topic of alerts. */
@OnKafka
class AlertsCommandTest {
    private static final Alert VIOLATED = Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 418));

    @Test
    void alertsAreWordsForPeople(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        write(kafka, topic, AlertJson.write(Findings.inconclusive(0, 3)), AlertJson.write(VIOLATED));

        Shell.Result result =
                alerts(kafka, topic, "--from-beginning", "--max-messages", "2").ends(ExitCode.VIOLATED);

        assertThat(result.out())
                .contains("ALERT inconclusive (expired)")
                .contains("ALERT 1 event lost in ")
                .containsPattern("lost +sequence 417")
                .contains("> lost: A producer stated this event", "> what to do: Send the event again");
        alerts(kafka, topic, "--from-beginning", "--max-messages", "1").ends(ExitCode.INCONCLUSIVE);
    }

    @Test
    void whatIsThereIsPrintedViolationsFirstAndTheNewestFirstWhateverFloodsTheTopic(EmbeddedKafka kafka)
            throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        byte[][] alerts = new byte[10_003][];
        Arrays.setAll(alerts, i -> AlertJson.write(Findings.inconclusive(0, i)));
        alerts[0] = AlertJson.write(VIOLATED);
        alerts[1] = AlertJson.write(Findings.violated(0, 5, false, Findings.anomaly(Kind.LOST, 0, 517, 518)));
        write(kafka, topic, alerts);

        Shell.Result result = alerts(kafka, topic, "--since", "1h", "--max-messages", "3");

        assertThat(result.out().lines().filter(line -> line.startsWith("ALERT")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("1 event lost").contains("offset 500"),
                        line -> assertThat(line).contains("1 event lost").contains("offset 400"),
                        line -> assertThat(line).contains("inconclusive").contains("offset 1,000,200"));
        assertThat(result.err()).contains("1 older alerts are left out");
        assertThat(alerts(kafka, topic, "--since", "1h", "--topic", "other", "--idle-timeout", "1")
                        .out())
                .isEmpty();
    }

    @Test
    void withShowKeysTheKeysBesideWhatWasLostAreReadFromTheLog(EmbeddedKafka kafka) throws Exception {
        String events = SharedKafka.createTopic(kafka, "events", 1);
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        try (var producer = SharedKafka.producer(kafka)) {
            producer.send(new ProducerRecord<>(events, "customer-7".getBytes(StandardCharsets.UTF_8), new byte[1]))
                    .get();
        }
        write(kafka, topic, AlertJson.write(lostBetween(events, 0, 9)));
        write(kafka, topic, AlertJson.write(lostBetween("no-such-topic", 0, 1)));

        Shell.Result without = alerts(kafka, topic, "--from-beginning", "--max-messages", "2");
        assertThat(without.out()).contains("between sequence 416 @0").doesNotContain("customer-7", "key");

        Shell.Result with = alerts(kafka, topic, "--from-beginning", "--max-messages", "2", "--show-keys")
                .ends(ExitCode.VIOLATED);
        assertThat(with.out())
                .contains(
                        "between sequence 416 @0, key \"customer-7\", and sequence 418 @9, key the log does not hold it: "
                                + "it has 0 to 0\n")
                .contains("between sequence 416 @0, key not read: ");

        assertThat(alerts(kafka, topic, "--show-keys", "--json").err())
                .contains("--show-keys does not apply to --json");
    }

    private static Alert lostBetween(String topic, long before, long after) {
        StreamId stream = new StreamId(topic, 0, 1);
        Anomaly lost = Intervals.lost(
                stream,
                417,
                418,
                Hop.LOG,
                new Neighbours(new Neighbour(416, before, -1), new Neighbour(418, after, -1)));
        return Findings.alert(new Violated(Intervals.interval(stream, 4, 400, 400, 100), true, 1, List.of(lost)));
    }

    /** What somebody wrote who knows that it will be read on a terminal. */
    @Test
    void noAlertSteersTheTerminalOrBeginsALine(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        String forged = "why\u001b[2J\u009b2J\r\nVERIFIED: all\u202e\u2028\u2066\u200b\ud800";
        String shown = "why\\u001b[2J\\u009b2J\\u000d\\u000aVERIFIED: all\\u202e\\u2028\\u2066\\u200b";
        byte[] ours = AlertJson.write(
                Findings.alert(new Undelivered(new PartitionId("t", 0), 3, Undelivered.Kind.HALTED, forged, 0)));
        byte[] theirs = new ObjectMapper()
                .readTree(ours)
                .toPrettyString()
                .replace("why", "why\u202e")
                .getBytes(StandardCharsets.UTF_8);
        write(kafka, topic, "{\"\u001b[2J".getBytes(StandardCharsets.UTF_8), ours, theirs);

        Shell.Result words = alerts(kafka, topic, "--from-beginning", "--max-messages", "3");
        Shell.Result json = alerts(kafka, topic, "--from-beginning", "--max-messages", "3", "--json");

        assertThat(words.out()).contains("output halted before the event at t-0@3: " + shown);
        assertThat(words.out().lines()).noneMatch(line -> line.startsWith("VERIFIED"));
        assertThat(words.err()).contains(topic + "-0@0 is no alert: ");
        assertThat(json.out().lines().findFirst()).contains(new String(ours, StandardCharsets.UTF_8));
        assertThat(json.out().lines()).hasSize(2);
        for (String line : json.out().lines().toList()) {
            assertThat(new ObjectMapper()
                            .readTree(line)
                            .get("data")
                            .get("detail")
                            .asText())
                    .contains("[2J")
                    .contains("\u202e");
        }
        for (Shell.Result result : List.of(words, json)) {
            assertThat((result.out() + result.err()).chars())
                    .noneMatch(c -> c != '\n' && Character.isISOControl(c))
                    .noneMatch(c -> Character.getType(c) == Character.FORMAT || c == 0x2028);
        }
    }

    @Test
    void withoutFromBeginningOnlyNewOnesAreShown(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        write(kafka, topic, AlertJson.write(VIOLATED));

        Shell.Result result = alerts(kafka, topic, "--idle-timeout", "1").ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).hasSize(2);
        assertThat(result.err())
                .startsWith("stormproof: no alert since the start in topic " + topic + "; printing them as they come")
                .contains("no alert came, which proves nothing");
    }

    @Test
    void itEndsWithItsReaderThoughNothingMoreComes(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        write(kafka, topic, AlertJson.write(VIOLATED));
        String[] alerts = ("alerts --bootstrap-server " + kafka.bootstrapServers() + " --alerts-topic " + topic
                        + " --from-beginning")
                .split(" ");
        try (Shell.Running running = Shell.startRead(alerts)) {
            Process process = running.process();
            List<ProcessHandle> children;
            try (BufferedReader head = process.inputReader(StandardCharsets.UTF_8)) {
                assertThat(head.readLine()).contains("ALERT 1 event lost in ");
                children = process.descendants().toList();
            }

            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitCode.FAILED);
            assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
            assertThat(running.awaitErr("")).as("quietly").isEmpty();
        }
    }

    @Test
    void aPlantedFaultIsNoneOfTheAlertsThatAreAskedFor(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        Alert planted = new Alert("/stormproof/test", 0, 0, true, VIOLATED.finding());
        write(kafka, topic, AlertJson.write(planted), AlertJson.write(VIOLATED));

        Shell.Result result = alerts(kafka, topic, "--from-beginning", "--max-messages", "1", "--idle-timeout", "30")
                .ends(ExitCode.VIOLATED);

        assertThat(result.out()).containsOnlyOnce("ALERT 1 event lost");
    }

    private static Shell.Result alerts(EmbeddedKafka kafka, String topic, String... more) {
        String[] args = new String[5 + more.length];
        args[0] = "alerts";
        args[1] = "--bootstrap-server";
        args[2] = kafka.bootstrapServers();
        args[3] = "--alerts-topic";
        args[4] = topic;
        System.arraycopy(more, 0, args, 5, more.length);
        return Shell.here(args);
    }

    private static void write(EmbeddedKafka kafka, String topic, byte[]... values) {
        SharedKafka.send(
                kafka,
                Arrays.stream(values)
                        .map(value -> new ProducerRecord<byte[], byte[]>(topic, value))
                        .toList());
    }
}
