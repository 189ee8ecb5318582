package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.session.AuditSession;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lost events of a topic on a broker, and the candidates that get their names. */
@OnKafka
@Timeout(120)
class FindCommandTest {
    private static final int EVENTS = 30;
    private static final Set<Integer> LOST = Set.of(4, 12, 13, 14);

    private final EmbeddedKafka kafka;
    private final Path dir;
    private final String topic;
    /** The topic that the checkpoints name. */
    private String origin;

    private final String alerts;

    FindCommandTest(EmbeddedKafka kafka, @TempDir Path dir) {
        this.kafka = kafka;
        this.dir = dir;
        this.topic = SharedKafka.createTopic(kafka, "find", 1);
        this.origin = topic;
        this.alerts = SharedKafka.createTopic(kafka, "find-alerts", 1);
    }

    /** A signature that no program but its application knows. */
    public static final class LastByte implements EventSigner {
        @Override
        public byte id() {
            return (byte) 200;
        }

        @Override
        public int sizeBytes() {
            return 2;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            out[outBegin] = value[value.length - 4];
            out[outBegin + 1] = value[value.length - 3];
        }
    }

    @Test
    void aSingleLostEventAndARunAreNamedFromJsonLines() throws Exception {
        String id = alertOf(Map.of());
        StringBuilder lines = new StringBuilder();
        for (int event = 0; event < EVENTS; event++) {
            lines.append("{\"key\": \"")
                    .append(key(event))
                    .append("\", \"value\": ")
                    .append(value(event))
                    .append("}\n");
        }

        Shell.Result result = find(
                        id,
                        Files.writeString(dir.resolve("export.jsonl"), lines).toString())
                .ends(ExitCode.VERIFIED);

        assertThat(result.out())
                .contains("lost      event 4 is " + dir.resolve("export.jsonl") + ":5  key \"key 4\"")
                .contains("event 12 is ")
                .contains("event 13 is ")
                .contains("event 14 is ")
                .contains("4 of 4 events were found among 30 candidates");
        assertThat(result.out().lines()).hasSize(5);

        Shell.Result json =
                find(id, dir.resolve("export.jsonl").toString(), "--json").ends(ExitCode.VERIFIED);
        List<JsonNode> objects = new ArrayList<>();
        for (String line : json.out().lines().toList()) {
            objects.add(new ObjectMapper().readTree(line));
        }
        JsonNode sum = objects.remove(objects.size() - 1);
        assertThat(sum.path("named").asLong()).isEqualTo(sum.path("missing").asLong());
        assertThat(objects)
                .hasSize(sum.path("matches").asInt())
                .allMatch(one -> one.path("kind").asText().equals("lost")
                        && one.path("sequences").size() == 1
                        && one.hasNonNull("valueBase64"));
    }

    @Test
    void fromAnAlertToTheLostEventInThreeCommandsAsItsTextHasThem() throws Exception {
        String id = alertOf(Map.of());
        Path export = Files.writeString(
                dir.resolve("export.jsonl"), "{\"key\": \"" + key(4) + "\", \"value\": " + value(4) + "}\n");

        String alert = Shell.line("alerts --bootstrap-server " + kafka.bootstrapServers() + " --alerts-topic " + alerts
                        + " --since 1h --topic " + topic + " --idle-timeout 1")
                .ends(ExitCode.VIOLATED)
                .out();
        assertThat(alert).contains("alert   " + id);
        Shell.Result audit = Shell.line(command("audit", alert)).ends(ExitCode.VIOLATED);
        assertThat(audit.out()).contains("lost  sequence 4");
        Shell.Result described = Shell.line(command("find", alert)).ends(ExitCode.INCONCLUSIVE);
        assertThat(described.out()).contains("lost  sequence 4", "key \"key 3\"", "key \"key 5\"");
        Shell.Result found = Shell.line(command("find", alert) + " --input " + export);
        assertThat(found.out()).contains("lost      event 4 is " + export + ":1  key \"key 4\"");
    }

    /** The command that an alert's text has under a name, as this program takes it. */
    private static String command(String name, String alert) {
        return alert.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name + "  "))
                .map(line -> line.substring(line.indexOf("stormproof ") + "stormproof ".length()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsNotAmongTheCandidatesIsSaid() throws Exception {
        String id = alertOf(Map.of("stormproof.event.signer", "sha256-key-value"));
        Path csv = Files.writeString(
                dir.resolve("export.csv"),
                "body,id\r\n\"" + value(12).replace("\"", "\"\"") + "\",key 12\r\n\r\n\""
                        + value(13).replace("\"", "\"\"") + "\",another key\r\n");

        Shell.Result result = find(id, csv.toString(), "--key-column", "id", "--value-column", "body")
                .ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out())
                .contains("event 12 is " + csv + ":2")
                .contains("1 of 4 events were found among 2 candidates")
                .contains("no candidate has the signature of: 4, 13, 14.");
    }

    @Test
    void anotherTopicHoldsCandidatesAndSoDoBase64AndTheRevisionsId() throws Exception {
        String id = alertOf(Map.of());
        String backup = SharedKafka.createTopic(kafka, "find-backup", 2);
        SharedKafka.send(
                kafka,
                LOST.stream()
                        .map(event -> new ProducerRecord<>(
                                backup,
                                event % 2,
                                key(event).getBytes(UTF_8),
                                value(event).getBytes(UTF_8)))
                        .toList());
        Path base64 = Files.writeString(
                dir.resolve("some.ndjson"),
                "{\"keyBase64\":\"" + base64(key(4)) + "\",\"valueBase64\":\"" + base64(value(4)) + "\"}\n");

        Shell.Result ofTopic = find(id, "topic:" + backup);
        Shell.Result ofFile = find(id, base64.toString());

        assertThat(ofTopic.exitCode()).as(ofTopic.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(ofTopic.out()).contains("event 13 is " + backup + "-1@0");
        assertThat(ofFile.out()).contains("event 4 is " + base64 + ":1");
    }

    @Test
    void withoutLeavesOnlyWhatTheAlertStatesCanBeNamed() throws Exception {
        String id = alertOf(Map.of("stormproof.checkpoint.detail", "root"));

        Shell.Result result = find(
                        id, Files.writeString(dir.resolve("e.jsonl"), "").toString())
                .ends(ExitCode.INCONCLUSIVE);

        assertThat(result.err())
                .contains("the lost events cannot be found")
                .contains("the checkpoint holds the root alone (stormproof.checkpoint.detail=root)");
        Shell.Result json =
                find(id, dir.resolve("e.jsonl").toString(), "--json").ends(ExitCode.INCONCLUSIVE);
        assertThat(new ObjectMapper().readTree(json.out()).path("named").asInt(-1))
                .isZero();
    }

    /** The topic was created anew, for instance: what lies there says nothing of the alert. */
    @Test
    void aCheckpointThatIsNotTheVerdictsNamesNothing() throws Exception {
        String id = alertOf(Map.of());
        Violated found = (Violated) audit(Map.of());
        String alert = new String(AlertJson.write(new Alert("/stormproof/test", 2, found)), UTF_8);
        String hash = found.interval().seal().checkpointHash().toHex();
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            byte[] other = alert.replace(hash, "00".repeat(hash.length() / 2)).getBytes(UTF_8);
            producer.send(new ProducerRecord<>(alerts, id.getBytes(UTF_8), other))
                    .get();
        }

        Shell.Result result =
                find(id, Files.writeString(dir.resolve("e.jsonl"), "").toString());

        assertThat(result.out())
                .contains("no candidate has the signature of: 4.", "nothing states the signatures of: [12, 15)");
    }

    /** The alert's hash of the checkpoint shows that it is the verdict's, whatever topic it names. */
    @Test
    void onAMirrorTheyAreNamedWithoutItsConfiguration() throws Exception {
        origin = "the-original";
        String id = alertOf(Map.of());
        Path export = Files.writeString(
                dir.resolve("export.jsonl"), "{\"key\": \"" + key(13) + "\", \"value\": " + value(13) + "}\n");

        assertThat(find(id, export.toString()).out()).contains("event 13 is " + export + ":1");
    }

    @Test
    void anAlgorithmOfTheApplicationsHasToBeNamed() throws Exception {
        String id = alertOf(Map.of("stormproof.event.signer", LastByte.class.getName()));
        Path settings =
                Files.writeString(dir.resolve("s.properties"), "event.signers=" + LastByte.class.getName() + "\n");
        String export = Files.writeString(
                        dir.resolve("e.jsonl"), "{\"key\": \"" + key(4) + "\", \"value\": " + value(4) + "}\n")
                .toString();

        Shell.Result without = find(id, export);
        Shell.Result with = find(id, export, "--config", settings.toString());

        assertThat(without.exitCode()).as(without.toString()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(without.err())
                .contains("algorithm 200 of the application's own: name its class as event.signers in --config");
        assertThat(with.out()).contains("is " + export + ":1");
    }

    @Test
    void matchesThatArePrintedAreBounded() throws Exception {
        String id = alertOf(Map.of());
        String one = "{\"key\": \"" + key(4) + "\", \"value\": " + value(4) + "}\n";
        String bytes = "{\"keyBase64\": \"" + Base64.getEncoder().encodeToString(new byte[] {-1}) + "\", \"value\": \""
                + "v".repeat(100) + "\"}\n";

        Shell.Result result = find(
                id,
                Files.writeString(dir.resolve("e.jsonl"), one.repeat(1_005) + bytes)
                        .toString());

        assertThat(result.out()).contains("and 5 more candidates that match", "among 1006 candidates");
        assertThat(result.out().lines()).hasSize(1_003);
    }

    @Test
    void wrongUsageIsTold() throws Exception {
        String id = alertOf(Map.of());
        String export =
                Files.writeString(dir.resolve("e.jsonl"), "{\"key\": \"k\"}\n").toString();

        assertThat(find("orders/0/none/1", export).err()).contains("has no alert orders/0/none/1");
        assertThat(find(id, export).err()).contains("e.jsonl:1 has no field \"value\": --value-column names another");
        assertThat(find(id, dir.resolve("x.txt").toString()).err()).contains("there is no file");
    }

    private static String key(int event) {
        return "key " + event;
    }

    private static String value(int event) {
        return "{\"order\": %d,  \"n\": \"%02d\"}".formatted(event, event);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private Shell.Result find(String id, String input, String... more) {
        return Shell.line(
                "alerts find --bootstrap-server " + kafka.bootstrapServers() + " --alerts-topic " + alerts + " " + id
                        + " --input " + input,
                more);
    }

    private String alertOf(Map<String, Object> settings) throws Exception {
        return alertOf(written(settings), settings);
    }

    private String alertOf(List<ProducerRecord<byte[], byte[]>> records, Map<String, Object> settings)
            throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            int event = 0;
            for (ProducerRecord<byte[], byte[]> record : records) {
                boolean checkpoint = record.headers().lastHeader(Format2Checkpoint.HEADER) != null;
                if (checkpoint || !LOST.contains(event++)) {
                    producer.send(new ProducerRecord<>(topic, 0, record.key(), record.value(), record.headers()))
                            .get();
                }
            }
            Finding found = audit(settings);
            byte[] alert = AlertJson.write(new Alert("/stormproof/test", 1, found));
            producer.send(new ProducerRecord<>(alerts, found.id().getBytes(UTF_8), alert))
                    .get();
            return found.id();
        }
    }

    private List<ProducerRecord<byte[], byte[]>> written(Map<String, Object> settings) {
        return PaperLog.of(
                origin,
                1,
                EVENTS,
                EVENTS + 1,
                settings,
                FaultPlan.none(),
                event -> key(event).getBytes(UTF_8),
                event -> value(event).getBytes(UTF_8));
    }

    private Finding audit(Map<String, Object> settings) throws Exception {
        Map<String, String> reader = new HashMap<>();
        Object signer = settings.get("stormproof.event.signer");
        if (LastByte.class.getName().equals(signer)) {
            reader.put("event.signers", LastByte.class.getName());
        }
        if (!origin.equals(topic)) {
            reader.put("mirrors", topic + ":" + origin);
        }
        List<Finding> found = new ArrayList<>();
        try (CloseStack resources = new CloseStack(Terminal.nowhere())) {
            var unused = new AuditSession(
                            StormproofConfig.ofReader(reader, kafka.bootstrapServers(), topic),
                            new AuditSession.Request(topic, new TreeSet<>(List.of(0)), AuditScope.WHOLE, 1),
                            resources,
                            Terminal.nowhere(),
                            Terminal.nowhere())
                    .onFinding(found::add)
                    .run();
        }
        return found.stream()
                .filter(Violated.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError(found));
    }
}
