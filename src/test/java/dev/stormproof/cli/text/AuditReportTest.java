package dev.stormproof.cli.text;

import static dev.stormproof.cli.testing.Findings.alert;
import static dev.stormproof.cli.testing.Findings.interval;
import static dev.stormproof.cli.testing.Findings.stream;
import static dev.stormproof.cli.testing.Findings.verified;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.alert.NeighbourKeys;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.log.audit.OfflineVerifier.Open;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What an audit comes to, in words: never more than was read and proven. */
class AuditReportTest {
    private static final AuditScope SEALED = new AuditScope(null, null, null, null, true, null, 0);

    private final Tally tally = new Tally();
    private final List<Audited> rows = new ArrayList<>();

    private AuditReport report(AuditScope scope) {
        AuditReport report = new AuditReport("t", scope, tally, RecordUrls.NONE);
        rows.forEach(report::add);
        return report;
    }

    private static Range range(int partition, long begin, long end, long logEnd) {
        return new Range(new TopicPartition("t", partition), begin, end, logEnd, logEnd, 0);
    }

    private static Contents contents(UnsealedTail... ends) {
        long events = 0;
        long overdue = 0;
        long overdueEvents = 0;
        for (UnsealedTail end : ends) {
            events += end.events();
            overdue += end.overdue() ? 1 : 0;
            overdueEvents += end.overdue() ? end.events() : 0;
        }
        return new Contents(100, 2, new Open(ends.length, events, overdue, overdueEvents, List.of(ends)));
    }

    private static UnsealedTail end(int partition, long events, boolean overdue) {
        return new UnsealedTail(stream(partition), "shop", 0, 7, events == 0 ? 7 : 8, events, overdue);
    }

    private void audited(int partition, long logBegin, UnsealedTail... ends) {
        rows.add(new Audited(range(partition, logBegin, 200, 200), logBegin, contents(ends), true));
    }

    private static List<String> json(AuditReport report) {
        StringWriter json = new StringWriter();
        Terminal out = Terminal.over(json);
        report.printJson(Findings.CIRCUMSTANCES, out);
        out.flush();
        return json.toString().lines().toList();
    }

    private void assertComesTo(AuditScope scope, int exitCode, String conclusion) {
        AuditReport report = report(scope);
        assertThat(report.conclusion()).isEqualTo(conclusion);
        assertThat(report.exitCode()).isEqualTo(exitCode);
        json(report).forEach(line -> AlertSchema.check(line.getBytes(UTF_8)));
    }

    @Test
    void anAuditSaysWhatItReadWhenByWhichProgramAndWhomItBelieved() throws Exception {
        tally.add(verified(0, 1));
        audited(0, 100);
        AuditReport report = report(new AuditScope(null, null, null, null, false, null, 2));

        List<String> json = json(report);
        JsonNode partition = new ObjectMapper().readTree(json.get(0));
        assertThat(partition.get("logBeginOffset").asLong()).isEqualTo(100);
        assertThat(partition.get("logEndOffset").asLong()).isEqualTo(200);
        JsonNode topic = new ObjectMapper().readTree(json.get(1));
        assertThat(topic.get("clusterId").asText()).isEqualTo(Findings.CIRCUMSTANCES.clusterId());
        assertThat(topic.get("topicId").asText()).isEqualTo(Findings.CIRCUMSTANCES.topicId());
        assertThat(topic.get("time").asText()).isEqualTo("2026-01-31T08:00:00Z");
        assertThat(topic.get("program").asText()).isEqualTo("stormproof 1");
        assertThat(topic.get("demanded").asText()).isEqualTo("tampering");
        assertThat(topic.get("keys")).extracting(JsonNode::asText).isEqualTo(Findings.CIRCUMSTANCES.keys());

        assertThat(report.facts(Findings.CIRCUMSTANCES))
                .containsEntry("Cluster", List.of(Findings.CIRCUMSTANCES.clusterId()))
                .containsEntry("Topic", List.of("t, id " + Findings.CIRCUMSTANCES.topicId()))
                .containsEntry("Audited at", List.of("2026-01-31T08:00:00Z"))
                .containsEntry("Program", List.of("stormproof 1"))
                .containsEntry("Keys that were believed", Findings.CIRCUMSTANCES.keys())
                .containsEntry("Not judged", report.notJudged())
                .hasEntrySatisfying(
                        "Offsets",
                        lines -> assertThat(lines)
                                .singleElement()
                                .asString()
                                .startsWith("t-0: audited ")
                                .contains("to 199 of a log of 100 to 199"));
        assertThat(report.notJudged()).hasSize(2);
    }

    private static Verified sealed(long number, Protection strength, String keyId) {
        Seal seal = new Seal(strength, Hash.copyOf(new byte[32]), Hash.empty(), keyId);
        return new Verified(
                new IntervalId(stream(0), number, 7 + number, 0, 10, Hash.empty(), "shop", -1, seal, Tail.NONE),
                Verified.Basis.LOG,
                0);
    }

    private String printed() {
        StringWriter text = new StringWriter();
        Terminal out = Terminal.over(text);
        report(new AuditScope(null, null, null, null, false, null, 0)).print(out, anomalies -> NeighbourKeys.NONE);
        out.flush();
        return text.toString();
    }

    @Test
    void itSaysByWhatTheIntervalsAreSealed() {
        audited(0, 0);
        assertThat(printed()).doesNotContain("sealed");
        tally.add(alert(sealed(1, Protection.TAMPERING, "billing-1")));
        tally.add(alert(sealed(2, Protection.TAMPERING, "billing-2")));
        assertThat(printed()).contains("\n  sealed against tampering, by billing-1, billing-2\n");
        tally.add(alert(sealed(3, Protection.ACCIDENTS, "billing-3")));
        assertThat(printed())
                .contains(
                        "\n  sealed against tampering, by billing-1, billing-2, but for 1 of 3 intervals, which are sealed"
                                + " against accidents\n");
    }

    @Test
    void anIntervalOfNoEventsProvesNothing() {
        tally.add(alert(new Verified(Intervals.interval(stream(0), 0, 7, 0, 0), Verified.Basis.MATCH, 0)));
        audited(0, 0);

        assertComesTo(AuditScope.WHOLE, ExitCode.INCONCLUSIVE, "INCONCLUSIVE: no event is proven");
        assertComesTo(SEALED, ExitCode.INCONCLUSIVE, "INCONCLUSIVE: no event is proven");
    }

    @Test
    void anOpenStretchWithAFindingIsOneIntervalAndItsEventsCountOnce() {
        IntervalId open = Intervals.interval(stream(0), 0, 7, 0, 15);
        tally.add(alert(
                new Violated(open, true, true, 1, List.of(Findings.anomaly(Anomaly.Kind.ALTERED, 0, 3, 4)), Hop.LOG)));
        rows.add(new Audited(
                range(0, 0, 200, 200),
                0,
                new Contents(15, 0, new Open(1, 15, 1, 15, List.of(end(0, 15, false)))),
                true));

        AuditReport report = report(AuditScope.WHOLE);
        assertThat(report.conclusion()).startsWith("VIOLATED: 1 anomaly in 1 of 1 intervals; 15 events of 1 stream");
        assertThat(report.events()).isEqualTo(15);
    }

    @Test
    void oneOpenEventAmongManyProvenOnesIsInconclusive() {
        tally.add(verified(0, 1));
        audited(0, 0, end(0, 1, false));

        assertComesTo(
                AuditScope.WHOLE,
                ExitCode.INCONCLUSIVE,
                "INCONCLUSIVE: 1 event of 1 stream follows the last checkpoint; 100 events are proven");
        assertComesTo(
                SEALED,
                ExitCode.VERIFIED,
                "VERIFIED up to the last checkpoints: 100 events arrived once, in order, with key and value unaltered; "
                        + "1 event of 1 stream follows the last checkpoint, not judged");
        assertThat(report(SEALED).verdict().result())
                .isEqualTo(
                        "100 of 101 events of 't' are proven to have arrived once, in order, with key and value unaltered; "
                                + "undecided: 1.");
    }

    @Test
    void aStreamThatHasOnlyBegunIsOpenWithoutAnEvent() {
        tally.add(verified(0, 1));
        audited(0, 0, end(0, 0, false));

        assertComesTo(
                AuditScope.WHOLE,
                ExitCode.INCONCLUSIVE,
                "INCONCLUSIVE: 1 stream has begun, without an event yet; 100 events are proven");
    }

    @Test
    void whatIsOverdueIsCountedOnceAndExcusedOnlyByTheScope() {
        tally.add(verified(0, 1));
        tally.add(alert(new Inconclusive(interval(0, 2), Inconclusive.Reason.UNSEALED, "silent")));
        audited(0, 0, end(0, 100, true));

        assertComesTo(
                AuditScope.WHOLE,
                ExitCode.INCONCLUSIVE,
                "INCONCLUSIVE: 100 events of 1 stream follow the last checkpoint; 100 events are proven");
        assertThat(report(SEALED).exitCode()).isEqualTo(ExitCode.VERIFIED);
        assertThat(report(SEALED).verdict().events()).isEqualTo(200);

        // One that made room for others has no open end here: nobody knows what lies behind its last checkpoint.
        tally.add(alert(new Inconclusive(interval(1, 2), Inconclusive.Reason.UNSEALED, "more than 10000 streams")));
        assertComesTo(
                SEALED,
                ExitCode.INCONCLUSIVE,
                "INCONCLUSIVE: 1 interval is neither proven nor violated; "
                        + "100 events of 1 stream follow the last checkpoint; 100 events are proven");
    }

    @Test
    void twentyOpenEndsArePrintedAndTheOthersCounted() {
        tally.add(verified(0, 1));
        UnsealedTail[] ends = new UnsealedTail[25];
        Arrays.fill(ends, end(0, 3, false));
        audited(0, 0, ends);

        assertThat(printed().lines().filter(line -> line.startsWith("  open t-0, emitter 0000000000000001: 3 events")))
                .hasSize(20);
        assertThat(printed()).contains("  and 5 more streams with an open end\n");
    }

    @Test
    void whereALogBeginsLateIsSaidOfSomePartitionsByName() {
        tally.add(verified(0, 1));
        for (int partition = 0; partition < 5; partition++) {
            audited(partition, partition == 0 ? 0 : 10 * partition);
        }

        assertComesTo(
                AuditScope.WHOLE,
                ExitCode.VERIFIED,
                "VERIFIED: 100 events arrived once, in order, with key and value unaltered; the logs of partitions 1 (at 10), 2 (at 20), "
                        + "3 (at 30) and 1 more begin later than at 0; earlier records were not judged");
    }
}
