package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainVerdictTest {
    private static final StreamId STREAM = new StreamId("orders", 0, 1);

    private static Anomaly anomaly(Kind kind, long begin, long end) {
        return new Anomaly(kind, STREAM, begin, end, -1, 0, Hash.empty(), Hash.empty());
    }

    private static String sentence(
            long events, long proven, List<Anomaly> anomalies, long unnamed, long records, boolean expired) {
        return new PlainVerdict("'orders'", events, proven, anomalies, unnamed, records, expired, List.of()).result();
    }

    @Test
    void whatIsProvenIsCountedAndNeverCalledAll() {
        assertThat(sentence(6_000, 6_000, List.of(), 0, 0, false))
                .isEqualTo(
                        "6,000 events of 'orders' are proven to have arrived once, in order, with key and value unaltered.");
        assertThat(sentence(1, 1, List.of(), 0, 0, false))
                .isEqualTo(
                        "1 event of 'orders' is proven to have arrived once, in order, with key and value unaltered.");
    }

    @Test
    void whatIsWrongIsCountedByItsFate() {
        List<Anomaly> anomalies =
                List.of(anomaly(Kind.LOST, 4, 6), anomaly(Kind.ALTERED, 9, 10), anomaly(Kind.DUPLICATED, 11, 12));
        assertThat(sentence(6_000, 5_800, anomalies, 0, 0, false))
                .isEqualTo("4 of 6,000 events of 'orders' did not arrive once, in order, with key and value unaltered: "
                        + "2 lost, 1 duplicated, 1 altered.");
        assertThat(sentence(6_000, 5_800, List.of(anomaly(Kind.LOST, 4, 5), anomaly(Kind.FOREIGN, 7, 8)), 3, 1, false))
                .isEqualTo(
                        "1 of 6,000 events of 'orders' did not arrive once, in order, with key and value unaltered: 1 lost; and "
                                + "1 event does not belong there, 1 record belongs to no stream, 3 more things are wrong.");
    }

    @Test
    void eventsOfLostCheckpointsAreAmongAll() {
        assertThat(sentence(100, 100, List.of(anomaly(Kind.LOST, 100, 600)), 0, 0, false))
                .startsWith("500 of 600 events of 'orders' did not");
    }

    /** An attacker states any sequences, in two streams. */
    @Test
    void aSumIsNoMoreThanANumberTakes() {
        List<Anomaly> anomalies = List.of(
                anomaly(Kind.LOST, 2, Long.MAX_VALUE),
                anomaly(Kind.LOST, 3, Long.MAX_VALUE),
                anomaly(Kind.ALTERED, 9, 10));
        assertThat(sentence(100, 100, anomalies, 0, 0, false))
                .startsWith("9,223,372,036,854,775,807 of 9,223,372,036,854,775,807 events of 'orders' did not");
    }

    @Test
    void whatIsNoFateOfAnEventIsNoProofEither() {
        assertThat(sentence(100, 0, List.of(anomaly(Kind.CHECKPOINT_LOST, 3, 4)), 0, 0, false))
                .isEqualTo("Something is wrong with the 100 events of 'orders': 1 checkpoint is missing.");
        assertThat(sentence(100, 100, List.of(), 0, 2, false))
                .isEqualTo(
                        "100 events of 'orders' are proven to have arrived once, in order, with key and value unaltered, "
                                + "but 2 records belong to no stream.");
    }

    @Test
    void whatCannotBeSaidIsSaid() {
        assertThat(sentence(100, 60, List.of(), 0, 0, false))
                .isEqualTo(
                        "60 of 100 events of 'orders' are proven to have arrived once, in order, with key and value unaltered; "
                                + "undecided: 40.");
        assertThat(sentence(9, 0, List.of(), 0, 0, false))
                .isEqualTo(
                        "None of the 9 events of 'orders' is proven to have arrived once, in order, with key and value unaltered.");
        assertThat(sentence(1, 0, List.of(), 0, 0, false)).startsWith("None of the 1 event of 'orders' is proven");
        assertThat(sentence(2, 1, List.of(), 0, 0, false)).startsWith("1 of 2 events of 'orders' is proven");
        assertThat(sentence(100, 100, List.of(), 0, 0, true)).endsWith("; others expired before they were read.");
        assertThat(sentence(0, 0, List.of(), 0, 0, false))
                .isEqualTo("Nothing is known of 'orders' yet: no verdict on its events was read.");
    }

    @Test
    void whatWasNotJudgedIsASentence() {
        List<String> clauses = List.of("the log of partition 1 begins at 160; earlier records were not judged");
        assertThat(new PlainVerdict("'orders'", 140, 140, List.of(), 0, 0, false, clauses).reservation())
                .isEqualTo("The log of partition 1 begins at 160; earlier records were not judged.");
    }
}
