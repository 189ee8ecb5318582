package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alerts as CloudEvents. */
class AlertJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long WRITTEN_MILLIS = 1_700_000_000_456L;
    private static final IntervalId INTERVAL =
            Intervals.interval(new StreamId("orders", 3, 0xFEDC_BA98_7654_3210L), 7, 812, 700, 100);
    private static final IntervalId STATED_AGAIN = new IntervalId(
            INTERVAL.stream(),
            7,
            813,
            700,
            100,
            Hash.fromHex("0123456789abcdef"),
            "billing",
            WRITTEN_MILLIS,
            new Seal(Protection.TAMPERING, Hash.fromHex("66b2"), Hash.fromHex("d8aa"), "billing-1"),
            Tail.NONE);
    private static final Anomaly LOST = new Anomaly(
            Kind.LOST, INTERVAL.stream(), 741, 742, -1, 0, Hash.fromHex("00ff00ff00ff00ff00ff"), Hash.empty());
    private static final Anomaly BETWEEN = Intervals.lost(
            INTERVAL.stream(),
            741,
            742,
            Hop.LOG,
            new Neighbours(new Neighbour(740, 801, WRITTEN_MILLIS), new Neighbour(742, 802, -1)));
    private static final Violated VIOLATED = new Violated(INTERVAL, true, 1, List.of(LOST));
    private static final Violated OPEN = new Violated(INTERVAL, true, true, 1, List.of(LOST), Hop.LOG);

    private static final Anomaly ALTERED = new Anomaly(
            Kind.ALTERED,
            INTERVAL.stream(),
            741,
            742,
            850,
            1,
            Hash.fromHex("00ff00ff00ff00ff00ff"),
            Hash.fromHex("ff00ff00ff00ff00ff00"),
            List.of(Anomaly.Part.HEADER, Anomaly.Part.KEY_OR_VALUE),
            Hop.LOG,
            WRITTEN_MILLIS,
            Neighbours.NONE);

    private static final PartitionId PARTITION = new PartitionId("orders", 3);

    static Stream<Finding> findings() {
        return Stream.of(
                new Verified(INTERVAL, Verified.Basis.LOG, 0),
                new Inconclusive(INTERVAL, Inconclusive.Reason.EXPIRED, "gone"),
                new Verified(STATED_AGAIN, Verified.Basis.LOG, 0),
                VIOLATED,
                OPEN,
                new Violated(INTERVAL, false, 5, List.of(LOST)),
                new Violated(INTERVAL, true, 1, List.of(ALTERED)),
                new Violated(INTERVAL, true, 1, List.of(BETWEEN)),
                new MissedRecords(new PartitionId("orders", 3), 10, 20),
                new Inconclusive(INTERVAL, Inconclusive.Reason.UNSEALED, "silent for 60 s"),
                new StrayRecord(
                        new PartitionId("orders", 3),
                        99,
                        UnattributedRecord.Kind.MISPLACED_CHECKPOINT,
                        "of orders-1",
                        LogRecord.NO_TIME),
                new StrayRecord(PARTITION, 99, UnattributedRecord.Kind.UNSIGNED, "", WRITTEN_MILLIS),
                new Undelivered(PARTITION, 99, Undelivered.Kind.HALTED, "", WRITTEN_MILLIS),
                new Undelivered(PARTITION, 99, Undelivered.Kind.RESUMED, "", -1));
    }

    @ParameterizedTest
    @MethodSource("findings")
    void whatIsWrittenIsReadBack(Finding finding) throws IOException {
        Alert alert = new Alert("/stormproof/group", 1_700_000_000_123L, finding);
        assertThat(AlertSchema.read(AlertJson.write(alert))).isEqualTo(alert);
        AlertSchema.check(AlertJson.writeData(finding));
        Alert ofATopic = new Alert("/stormproof/group", 1_700_000_000_123L, 0xFEDC_BA98_7654_3210L, finding);
        assertThat(AlertSchema.read(AlertJson.write(ofATopic))).isEqualTo(ofATopic);
    }

    @Test
    void aPartThatALaterVersionAddsIsPassedOver() throws IOException {
        Alert alert = new Alert("/s", 1, new Violated(INTERVAL, true, 1, List.of(ALTERED)));
        String later = new String(AlertJson.write(alert), StandardCharsets.UTF_8)
                .replace("[\"header\",\"key-or-value\"]", "[\"header\",\"key-or-value\",\"time\"]");
        assertThat(later).contains("\"time\"]");
        assertThat(AlertJson.read(later.getBytes(StandardCharsets.UTF_8))).isEqualTo(alert);
        assertThat(AlertText.line(ALTERED)).endsWith("  differs in header and key or value");
    }

    @Test
    void whatDoesNotFitIsCutFromTheLastAnomalyOnAndCounted() throws IOException {
        Violated whole = new Violated(INTERVAL, true, 300, Collections.nCopies(100, LOST));
        Alert alert = new Alert("/stormproof/group", 1, whole);
        int wholeBytes = AlertJson.write(alert).length;

        for (int most = 0; most <= wholeBytes; most += 97) {
            byte[] cut = AlertJson.write(alert, most, Links.DEFAULT);
            Violated read = (Violated) AlertSchema.read(cut).finding();
            assertThat(read.anomalyCount()).isEqualTo(300);
            int named = read.anomalies().size();
            assertThat(cut.length <= most || named == 0).isTrue();
            // One more would not have fitted.
            Violated more = new Violated(INTERVAL, true, 300, whole.anomalies().subList(0, named + 1));
            assertThat(AlertJson.write(new Alert("/stormproof/group", 1, more))).hasSizeGreaterThan(most);
            assertThat(AlertText.summary(read)).contains(300 - named + " more in ");
        }
        assertThat(AlertJson.write(alert, wholeBytes, Links.DEFAULT)).isEqualTo(AlertJson.write(alert));
    }

    @Test
    void aLostCheckpointOfFormat1IsToldByItsEvents() {
        StreamId format1 = new StreamId("orders", 3, StreamId.NO_EMITTER);
        Anomaly lost = new Anomaly(Kind.CHECKPOINT_LOST, format1, -1, 0, 812, 12, Hash.empty(), Hash.empty());
        assertThat(AlertText.line(lost)).isEqualTo("checkpoint-lost  of 12 events from orders-3@812 on");
    }

    /** One alert a line, as {@link AlertJson#write} writes them. Lines are added, and never changed. */
    static List<String> golden() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/alerts.jsonl"), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("golden")
    void theBytesOfAnAlertStay(String line) throws IOException {
        Alert alert = AlertJson.read(line.getBytes(StandardCharsets.UTF_8));
        assertThat(AlertJson.write(alert)).asString(StandardCharsets.UTF_8).isEqualTo(line);
    }

    @Test
    void thereIsAGoldenAlertOfEveryType() throws IOException {
        Set<Finding.Type> types = EnumSet.noneOf(Finding.Type.class);
        for (String line : golden()) {
            types.add(AlertJson.read(line.getBytes(StandardCharsets.UTF_8))
                    .finding()
                    .type());
        }
        assertThat(types).containsExactly(Finding.Type.values());
    }

    @ParameterizedTest
    @MethodSource("findings")
    void theDataAloneIsThatOfTheEventWithoutTheBasis(Finding finding) throws IOException {
        ObjectNode data = (ObjectNode) JSON.readTree(AlertJson.write(new Alert("/stormproof/g", 0, finding)))
                .get("data");
        assertThat(data.has("basis")).isEqualTo(finding instanceof Verified);
        data.remove("basis");
        assertThat(AlertJson.writeData(finding))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(data.toString());
    }

    @Test
    void theNeighboursOfWhatWasLostAreToldWithoutTheirKeys() throws IOException {
        Links linked = new Links("", "audit", (topic, partition, offset) -> "https://ui/" + offset);
        JsonNode anomaly = JSON.readTree(AlertJson.writeData(new Violated(INTERVAL, true, 1, List.of(BETWEEN)), linked))
                .at("/anomalies/0");
        assertThat(anomaly.get("before"))
                .hasToString("{\"sequence\":740,\"offset\":801,\"time\":\"2023-11-14T22:13:20.456Z\","
                        + "\"url\":\"https://ui/801\"}");
        assertThat(anomaly.get("after")).hasToString("{\"sequence\":742,\"offset\":802,\"url\":\"https://ui/802\"}");
        assertThat(AlertText.line(BETWEEN))
                .endsWith("  between sequence 740 @801 of 2023-11-14T22:13:20.456Z, and sequence 742 @802");
        assertThat(AlertText.linesWith(linked.records(), (stream, offset) -> "k" + offset)
                        .apply(BETWEEN))
                .endsWith("  between sequence 740 @801 of 2023-11-14T22:13:20.456Z, key k801  https://ui/801"
                        + ", and sequence 742 @802, key k802  https://ui/802");
    }

    @Test
    void theSchemaHasEveryFieldAndNoOther() throws IOException {
        Set<String> fields = new HashSet<>();
        for (String line : golden()) {
            addFields(JSON.readTree(line).get("data"), fields);
        }
        Links linked = new Links("", "audit", (topic, partition, offset) -> "https://ui/" + offset);
        for (Finding finding : findings().toList()) {
            byte[] written = AlertJson.writeData(finding, linked);
            AlertSchema.check(written);
            addFields(JSON.readTree(written), fields);
        }
        assertThat(AlertSchema.fieldsOfData()).isEqualTo(fields);
    }

    private static void addFields(JsonNode node, Set<String> fields) {
        node.properties().forEach(field -> fields.add(field.getKey()));
        node.forEach(child -> addFields(child, fields));
    }

    static Stream<String> misfits() {
        String good = new String(AlertJson.write(new Alert("/s", 1, VIOLATED)), StandardCharsets.UTF_8);
        return Stream.of(
                good.replace("\"severity\":\"critical\"", "\"severity\":\"info\""),
                good.replace("\"kind\":\"lost\"", "\"kind\":\"stolen\""),
                good.replace("\"minimal\":true,", ""),
                good.replace("\"minimal\":true,", "\"minimal\":true,\"more\":1,"),
                good.replace("\"copies\":0", "\"copies\":\"none\""),
                good.replace("urn:stormproof", "urn:other"),
                good.replace("docs/runbook.md#lost", "somewhere"));
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void whatTheSchemaDoesNotAllowIsFound(String json) throws IOException {
        assertThat(AlertSchema.faults(JSON.readTree(json))).isNotEmpty();
        assertThatThrownBy(() -> AlertSchema.check(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void anAlertSaysWhoAndWhenAndHowUrgentItIsAndWhatToDo() throws IOException {
        Violated violated = new Violated(STATED_AGAIN, true, 1, List.of(ALTERED));
        JsonNode data = JSON.readTree(AlertJson.writeData(violated));
        assertThat(data.get("emitterName").asText()).isEqualTo("billing");
        assertThat(data.get("checkpointTime").asText()).isEqualTo("2023-11-14T22:13:20.456Z");
        assertThat(data.get("anomalies").get(0).get("time").asText()).isEqualTo("2023-11-14T22:13:20.456Z");
        assertThat(data.get("severity").asText()).isEqualTo("critical");
        assertThat(data.get("runbook").asText()).isEqualTo("docs/runbook.md#altered");
        assertThat(data.get("audit").asText())
                .isEqualTo("stormproof audit --bootstrap-server $KAFKA --topic orders --partition 3"
                        + " --from 813 --to 814");
    }

    /** A forger may give a record any time. */
    @Test
    void everyCharacterOfTheJsonCanBeSeenAndIsReadBack() throws IOException {
        String detail = "\u001b[2J\n\u0085\u009b\u202e\u2066\u2028\u200b\ud800 é";
        Finding finding = new Undelivered(new PartitionId("t", 0), 3, Undelivered.Kind.HALTED, detail, 0);

        byte[] json = AlertJson.writeData(finding);
        byte[] alert = AlertJson.write(new Alert("/s", 0, finding));

        assertThat(new String(json, StandardCharsets.UTF_8))
                .contains("\\u001B[2J\\n\\u0085\\u009b\\u202e\\u2066\\u2028\\u200b\\ud800 é");
        assertThat(AlertJson.read(alert).finding()).isEqualTo(finding);
        assertThat(AlertJson.line(alert)).isEqualTo(new String(alert, StandardCharsets.UTF_8));
    }

    @Test
    void aTimeThatNoCalendarHasIsLeftOut() throws IOException {
        for (long millis : new long[] {Long.MIN_VALUE, -1, 253_402_300_800_000L, Long.MAX_VALUE}) {
            StrayRecord stray = new StrayRecord(PARTITION, 99, UnattributedRecord.Kind.UNSIGNED, "", millis);
            assertThat(JSON.readTree(AlertJson.writeData(stray)).has("recordTime"))
                    .isFalse();
        }
        StrayRecord last = new StrayRecord(PARTITION, 99, UnattributedRecord.Kind.UNSIGNED, "", 253_402_300_799_999L);
        assertThat(JSON.readTree(AlertJson.writeData(last)).get("recordTime").asText())
                .isEqualTo("9999-12-31T23:59:59.999Z");
    }

    @Test
    void anOpenAlertAndItsVerdictShareAnIdAndAreEventsOfTheirOwn() {
        Alert first = new Alert("/s", 1, OPEN);
        Alert second = new Alert("/s", 2, VIOLATED);
        assertThat(first.finding().id()).isEqualTo(second.finding().id()).isEqualTo("orders/3/fedcba9876543210/7");
        assertThat(first.finding().revisionId()).isNotEqualTo(second.finding().revisionId());
    }

    @Test
    void twoCheckpointsOfOneNumberShareAnAlertAndAreEventsOfTheirOwn() {
        IntervalId other = Intervals.interval(INTERVAL.stream(), INTERVAL.number(), 813, 700, 100);
        Alert first = new Alert("/s", 1, VIOLATED);
        Alert second = new Alert("/s", 1, new Violated(other, true, 1, List.of(LOST)));
        assertThat(first.finding().id()).isEqualTo(second.finding().id());
        assertThat(first.finding().revisionId()).isEqualTo("orders/3/fedcba9876543210/7@812/r2");
        assertThat(second.finding().revisionId()).isEqualTo("orders/3/fedcba9876543210/7@813/r2");
    }

    @Test
    void aProofIsNoAlarm() {
        assertThat(new Alert("/s", 1, new Verified(INTERVAL, Verified.Basis.MATCH, 0)).isAlarm())
                .isFalse();
        assertThat(new Alert("/s", 1, VIOLATED).isAlarm()).isTrue();
    }

    @Test
    void thePersonOnCallReadsWhatHappenedToWhichEventAndWhere() {
        assertThat(AlertText.summary(VIOLATED))
                .isEqualTo("1 event lost in orders-3, before the checkpoint at offset 812");
        assertThat(AlertText.line(LOST)).isEqualTo("lost  sequence 741  orders-3 (nowhere)  signed 00ff00ff00ff00ff…");
    }

    @ParameterizedTest
    @MethodSource("damage")
    void whatIsNoAlertIsRefusedWithTheReason(String json) {
        assertThatThrownBy(() -> AlertJson.read(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    static Stream<String> damage() {
        String good = new String(AlertJson.write(new Alert("/s", 1, VIOLATED)), StandardCharsets.UTF_8);
        return Stream.of(
                "",
                "{",
                "[]",
                "{}",
                good.substring(0, good.length() - 1),
                good.replace("interval.violated", "interval.other"),
                good.replace("\"lost\"", "\"stolen\""),
                good.replace("fedcba9876543210", "xyz"));
    }
}
