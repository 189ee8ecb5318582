package dev.stormproof.alert.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.dashboard.testing.Scenes;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The picture of order, without a browser. */
class DashboardModelTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final DashboardModel picture = new DashboardModel(true);

    private ObjectNode everything() {
        return picture.since(DashboardModel.NOTHING, NOW);
    }

    private static List<String> states(JsonNode update) {
        List<String> states = new ArrayList<>();
        for (JsonNode partition : update.required("partitions")) {
            for (JsonNode cell : partition.required("intervals")) {
                states.add(cell.get(4).asText());
            }
        }
        return states;
    }

    /** An interval in which many events were altered, each at another place. */
    private static byte[] altered(long number, int count) {
        StreamId stream = Scenes.stream("orders", 0);
        List<Anomaly> anomalies = IntStream.range(0, count)
                .mapToObj(i -> new Anomaly(
                        Anomaly.Kind.ALTERED,
                        stream,
                        i,
                        i + 1,
                        1_000 * number + i / 2,
                        1,
                        Hash.fromHex("00"),
                        Hash.fromHex("01")))
                .toList();
        return AlertJson.write(
                Scenes.alert(new Violated(Scenes.interval(stream, number), true, count, anomalies), NOW));
    }

    @Test
    void ofAFindingTheFirstTwentyPlacesAreReadEachOnce() {
        DashboardModel audited = new DashboardModel(false);
        Scenes.add(audited, altered(1, 60));
        List<Long> asked = new ArrayList<>();

        audited.read((partition, offsets, taker) -> asked.addAll(offsets), System.nanoTime() + MINUTE_NANOS);

        assertThat(asked)
                .isEqualTo(LongStream.range(1_000, 1_020).boxed().toList())
                .hasSize(FindingView.MOST_PLACES);
    }

    @Test
    void ofWhatWasLostTheEventsOnBothSidesAreRead() {
        DashboardModel audited = new DashboardModel(false);
        StreamId stream = Scenes.stream("orders", 0);
        Anomaly lost = Intervals.lost(
                stream,
                103,
                105,
                Hop.LOG,
                new Neighbours(new Neighbour(102, 1_002, -1), new Neighbour(105, 1_003, -1)));
        Violated violated = new Violated(Scenes.interval(stream, 1), true, 1, List.of(lost));
        Scenes.add(audited, AlertJson.write(Scenes.alert(violated, NOW)));
        List<Long> asked = new ArrayList<>();

        audited.read((partition, offsets, taker) -> asked.addAll(offsets), System.nanoTime() + MINUTE_NANOS);

        assertThat(asked).containsExactly(1_002L, 1_003L);
    }

    @Test
    void aFileHoldsTheFirstThousandRecordsAndThoseOfATime() {
        DashboardModel audited = new DashboardModel(false);
        for (int number = 1; number <= 60; number++) {
            Scenes.add(audited, altered(number, 40));
        }
        AtomicInteger read = new AtomicInteger();
        RecordSource door = (partition, offsets, taker) -> offsets.forEach(offset -> {
            read.incrementAndGet();
            taker.accept(ReadRecord.unread(offset, "why"));
        });

        audited.read(door, System.nanoTime() + MINUTE_NANOS);

        assertThat(read).hasValue(DashboardModel.MOST_RECORDS);
        List<String> faults = audited.whole(NOW).required("findings").findValuesAsText("fault");
        assertThat(faults).hasSize(1_200).filteredOn("why"::equals).hasSize(1_000);
        assertThat(faults.get(1_199)).startsWith("not read: ");

        audited.read(door, System.nanoTime() - 1);
        assertThat(read).as("behind the deadline").hasValue(DashboardModel.MOST_RECORDS);
    }

    @Test
    void whatIsEmptySaysThatNothingIsKnown() {
        assertThat(everything().required("sentence").asText())
                .isEqualTo("Nothing is known of this log yet: no verdict on its events was read.");
        assertThat(everything().required("reservation").asText())
                .isEqualTo("Verified intervals are reported in the verdicts topic alone.");
        assertThat(everything().required("verdict").asText()).isEqualTo("none");
    }

    @Test
    void aVerdictReplacesAnOpenFindingAndNoOther() {
        Scenes.add(picture, Scenes.violated("orders", 0, 4, true, NOW));
        Scenes.add(picture, Scenes.violated("orders", 0, 4, false, NOW));
        Scenes.add(picture, Scenes.violated("orders", 0, 4, true, NOW));
        Scenes.add(picture, Scenes.violated("orders", 0, 4, false, NOW));

        ObjectNode update = everything();
        assertThat(states(update)).containsExactly("violated");
        assertThat(update.at("/partitions/0/violated").asInt()).isEqualTo(1);
        assertThat(update.required("sentence").asText())
                .isEqualTo("4 of 20 events of 'orders' did not arrive once, in order, with key and value unaltered: "
                        + "1 lost, 1 duplicated, 1 out of order, 1 altered.");
        assertThat(update.required("reservation").asText()).isEqualTo("Counted are the findings that were read.");
    }

    @Test
    void anOpenIntervalThatTurnsOutWellIsVerified() {
        IntervalId interval = Scenes.interval(Scenes.stream("orders", 0), 3);
        picture.add(Scenes.alert(new Inconclusive(interval, Inconclusive.Reason.UNSEALED, "silent"), NOW));
        assertThat(states(everything())).containsExactly("open");
        assertThat(everything().required("verdict").asText()).isEqualTo("inconclusive");

        picture.add(Scenes.alert(new Verified(interval, Verified.Basis.LOG, 0), NOW));
        assertThat(states(everything())).containsExactly("verified");
        assertThat(everything().required("verdict").asText()).isEqualTo("verified");
        assertThat(everything().required("sentence").asText())
                .isEqualTo(
                        "20 events of 'orders' are proven to have arrived once, in order, with key and value unaltered.");
    }

    @Test
    void openEndsAreCountedAndTheFirstAreNamed() {
        DashboardModel audited = new DashboardModel(false);
        Scenes.add(audited, Scenes.verified("orders", 0, 1, NOW));
        List<OpenEnds.Stream> ends = new ArrayList<>();
        for (int emitter = 1; emitter <= 300; emitter++) {
            ends.add(new OpenEnds.Stream(new StreamId("orders", 0, emitter), "shop", 9, 2, false));
        }
        audited.open(new PartitionId("orders", 0), new OpenEnds(300, 600, ends));
        audited.concluded(
                "inconclusive", List.of("the log of partition 0 begins at 7; earlier records were not judged"));

        ObjectNode page = audited.since(DashboardModel.NOTHING, NOW);
        assertThat(page.required("verdict").asText()).isEqualTo("inconclusive");
        assertThat(page.required("sentence").asText())
                .isEqualTo(
                        "20 of 620 events of 'orders' are proven to have arrived once, in order, with key and value unaltered; "
                                + "undecided: 600.");
        assertThat(page.required("reservation").asText())
                .isEqualTo("The log of partition 0 begins at 7; earlier records were not judged.");
        assertThat(page.at("/partitions/0/open").asInt()).isEqualTo(300);
        assertThat(page.at("/partitions/0/openEnds")).hasSize(100);
        assertThat(page.at("/partitions/0/openEnds/0/events").asInt()).isEqualTo(2);
    }

    @Test
    void whatLiesBehindTheProgressIsSaidToBeNotJudged() {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW));
        picture.progress(new PartitionId("orders", 0), 22, 59);

        assertThat(everything().required("reservation").asText())
                .isEqualTo("Counted are the findings that were read. "
                        + "37 records after the verified progress are not judged yet.");
    }

    @Test
    void anIntervalOfNoEventsIsNoProof() {
        IntervalId begin = Intervals.interval(Scenes.stream("orders", 0), 0, 0, 0, 0);
        picture.add(Scenes.alert(new Verified(begin, Verified.Basis.MATCH, 0), NOW));

        assertThat(everything().required("verdict").asText()).isEqualTo("none");
        assertThat(everything().required("sentence").asText()).startsWith("Nothing is known of 'orders' yet");
    }

    @Test
    void onlyWhatChangedIsToldAgain() {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW));
        Scenes.add(picture, Scenes.verified("orders", 1, 1, NOW));
        long before = everything().required("version").asLong();
        assertThat(picture.since(before, NOW).required("partitions")).isEmpty();

        Scenes.add(picture, Scenes.verified("orders", 1, 2, NOW));
        JsonNode update = picture.since(before, NOW);
        assertThat(update.required("whole").asBoolean()).isFalse();
        assertThat(update.required("partitions")).hasSize(1);
        assertThat(update.at("/partitions/0/partition").asInt()).isEqualTo(1);
        assertThat(states(update)).hasSize(1);

        picture.progress(new PartitionId("orders", 0), 40, 42);
        JsonNode progress = picture.since(update.required("version").asLong(), NOW);
        assertThat(progress.at("/partitions/0/progress").asInt()).isEqualTo(40);
        assertThat(states(progress)).isEmpty();
        long version = picture.version();
        picture.progress(new PartitionId("orders", 0), 40, 42);
        assertThat(picture.version()).isEqualTo(version);
    }

    @Test
    void theRateIsThatOfTheLastMinute() {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW - 30_000));
        Scenes.add(picture, Scenes.verified("orders", 0, 2, NOW - 10_000));
        assertThat(everything().at("/partitions/0/rate").asDouble()).isEqualTo(40 / 30.0);

        // A minute later one of them, and after another none.
        long version = picture.version();
        JsonNode later = picture.since(version, NOW + 35_000);
        assertThat(later.at("/partitions/0/rate").asDouble()).isEqualTo(20 / 60.0);
        assertThat(picture.since(version, NOW + 95_000).at("/partitions/0/rate").asDouble())
                .isZero();
    }

    @Test
    void theDelayIsTheLongestOfTheLastMinute() {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW - 20_000));
        assertThat(everything().at("/partitions/0/delay").asInt()).isEqualTo(130);
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW - 19_000));
        Scenes.add(picture, Scenes.verified("orders", 0, 3, NOW));

        assertThat(everything().at("/partitions/0/delay").asInt()).isEqualTo(1_400);
        assertThat(everything().at("/partitions/0/intervals/0/9").asLong()).isEqualTo(NOW - 20_130);
        assertThat(picture.since(DashboardModel.NOTHING, NOW + 45_000)
                        .at("/partitions/0/delay")
                        .asInt())
                .isEqualTo(130);
    }

    @Test
    void memoryIsBoundedAndAlarmsStayLongerThanProofs() {
        Scenes.add(picture, Scenes.violated("orders", 0, 1, false, NOW));
        for (int number = 2; number < DashboardModel.MOST_PROOFS + 102; number++) {
            Scenes.add(picture, Scenes.verified("orders", 0, number, NOW));
        }

        ObjectNode update = everything();
        assertThat(states(update)).hasSize(DashboardModel.MOST_PROOFS + 1).contains("violated");
        assertThat(update.at("/partitions/0/verified").asInt()).isEqualTo(DashboardModel.MOST_PROOFS + 100);
        assertThat(update.required("scope").asText())
                .isEqualTo("the first 100 verified intervals are counted, not drawn");
    }

    @Test
    void alarmsAreKeptUntilTheyNameTooMuch() {
        int each = Violated.MAX_NAMED;
        int most = DashboardModel.MOST_NAMED / (each + 1);
        for (int number = 1; number <= most + 2; number++) {
            picture.add(manyLost(number, each));
        }

        ObjectNode update = everything();
        assertThat(states(update)).hasSize(most);
        assertThat(update.at("/partitions/0/violated").asInt()).isEqualTo(most + 2);
        assertThat(update.required("scope").asText()).isEqualTo("the first 2 findings are counted, not drawn");
        assertThat(update.required("sentence").asText()).contains("; and 2,000 more things are wrong.");
    }

    private static Alert manyLost(int number, int count) {
        StreamId stream = Scenes.stream("orders", 0);
        Anomaly lost = new Anomaly(Kind.LOST, stream, number, number + 1, -1, 0, Hash.empty(), Hash.empty());
        return Scenes.alert(
                new Violated(Scenes.interval(stream, number), true, count, Collections.nCopies(count, lost)), NOW);
    }

    @Test
    void partitionsAreBounded() {
        for (int partition = 0; partition <= DashboardModel.MOST_PARTITIONS; partition++) {
            picture.progress(new PartitionId("orders", partition), 1, 2);
        }
        Scenes.add(picture, Scenes.verified("orders", DashboardModel.MOST_PARTITIONS + 1, 1, NOW));

        assertThat(everything().required("partitions")).hasSize(DashboardModel.MOST_PARTITIONS);
    }

    @Test
    void numbersThatABrowserCannotHoldAreText() {
        IntervalId forged = Intervals.interval(Scenes.stream("orders", 0), Long.MAX_VALUE, 5, Long.MAX_VALUE - 9, 9);
        picture.add(Scenes.alert(new Inconclusive(forged, Inconclusive.Reason.UNANCHORED, "far"), NOW));

        JsonNode cell = everything().at("/partitions/0/intervals/0");
        assertThat(cell.get(3).isTextual()).isTrue();
        assertThat(cell.get(6).asText()).isEqualTo("9223372036854775798");
        JsonNode detail = picture.detail(cell.get(0).asText()).orElseThrow();
        assertThat(detail.at("/data/firstSequence").isTextual()).isTrue();
        assertThat(detail.at("/data/checkpointOffset").isNumber()).isTrue();
    }

    @Test
    void anAlarmIsExplainedByTheRunbook() {
        Scenes.add(picture, Scenes.violated("orders", 0, 4, false, NOW));
        String key = everything().at("/partitions/0/intervals/0/0").asText();

        JsonNode detail = picture.detail(key).orElseThrow();
        assertThat(detail.at("/data/anomalies")).hasSize(4);
        assertThat(detail.required("words").valueStream().map(JsonNode::asText))
                .containsExactly("lost", "duplicated", "reordered", "altered");
        assertThat(picture.detail("no/such/key")).isEmpty();
    }

    @Test
    void topicsOfOneNameAreToldApart() {
        Verified proof = new Verified(Scenes.interval(Scenes.stream("orders", 0), 1), Verified.Basis.MATCH, 0);
        picture.add(new Alert("/s", NOW, 7, proof));
        picture.add(new Alert("/s", NOW, 8, proof));

        assertThat(states(everything())).hasSize(2);
    }

    @Test
    void recordsThatExpiredUnreadAreNeitherProvenNorViolated() {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW));
        picture.add(Scenes.alert(new MissedRecords(new PartitionId("orders", 0), 100, 180), NOW));

        assertThat(states(everything())).containsExactlyInAnyOrder("verified", "inconclusive");
        assertThat(everything().required("verdict").asText()).isEqualTo("inconclusive");
        assertThat(everything().required("sentence").asText()).contains("others expired before they were read.");
    }

    @Test
    void whatIsAcceptedIsShownAsBeforeAndAsAccepted() {
        Alert violated = Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        DashboardModel picture = new DashboardModel(true);
        picture.add(Findings.verified(0, 3));
        picture.add(violated);
        long before = picture.version();
        assertThat(picture.since(DashboardModel.NOTHING, 0).get("verdict").asText())
                .isEqualTo("violated");

        picture.accept(Acceptance.of(violated, 1, "alice", "sent again"));

        JsonNode update = picture.since(before, 0);
        JsonNode cell = update.at("/partitions/0/intervals/0");
        assertThat(cell.get(cell.size() - 1).asText()).isEqualTo("alice: sent again");
        assertThat(cell.get(4).asText()).isEqualTo("violated");
        assertThat(update.get("verdict").asText()).isEqualTo("accepted");
        assertThat(update.get("scope").asText()).isEqualTo("1 of 1 alerts are accepted");
        assertThat(update.at("/partitions/0/violated").asInt()).isEqualTo(1);
        assertThat(update.get("sentence").asText()).contains("lost");
    }

    @Test
    void anAcceptanceMayBeReadBeforeItsAlert() {
        Alert violated = Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        DashboardModel picture = new DashboardModel(true);
        picture.accept(Acceptance.of(violated, 1, "alice", "sent again"));
        picture.add(Findings.verified(0, 3));
        picture.add(violated);
        assertThat(picture.since(DashboardModel.NOTHING, 0).get("verdict").asText())
                .isEqualTo("accepted");
        picture.add(Findings.inconclusive(0, 5));
        assertThat(picture.since(DashboardModel.NOTHING, 0).get("verdict").asText())
                .isEqualTo("violated");
    }

    @Test
    void plantedFaultsAreNotOnThePage() {
        Alert violated = Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        Alert planted = new Alert(violated.source(), 0, 0, true, violated.finding());
        DashboardModel picture = new DashboardModel(true);
        PartitionId of = violated.finding().partition();
        picture.progress(of, 5, 10);
        picture.add(planted);
        picture.progress(of, 6, 10);
        JsonNode page = picture.since(DashboardModel.NOTHING, 0);
        assertThat(page.get("verdict").asText()).isEqualTo("none");
        assertThat(page.get("partitions")).isEmpty();

        picture.blind("blind: nothing was told");
        picture.trouble("something else");
        assertThat(picture.since(DashboardModel.NOTHING, 0).get("trouble").asText())
                .startsWith("blind: ");
        picture.blind("");
        assertThat(picture.since(DashboardModel.NOTHING, 0).get("trouble").asText())
                .isEqualTo("something else");
    }
}
