package dev.stormproof.verify.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.Intervals;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What verdicts say in sum of the parts that they are made of. */
class VerdictTest {
    private static final IntervalId INTERVAL =
            IntervalId.of(StreamRecords.ALICE.checkpoint(1, 0, 100).at(100));

    private static Anomaly lost(long sequence, Hop hop) {
        return Intervals.lost(INTERVAL.stream(), sequence, sequence + 1, hop, Neighbours.NONE);
    }

    private static List<Anomaly> lost(String hops) {
        List<Anomaly> anomalies = new ArrayList<>();
        for (String hop : hops.isEmpty() ? new String[0] : hops.split(" ", -1)) {
            anomalies.add(lost(anomalies.size(), Hop.valueOf(hop)));
        }
        return anomalies;
    }

    @ParameterizedTest
    @CsvSource({
        "'', LOG",
        "TRANSFORM, TRANSFORM",
        "TRANSFORM TRANSFORM, TRANSFORM",
        "TRANSFORM UNKNOWN, SEVERAL",
    })
    void aViolationHappenedWhereAllItsAnomaliesDid(String hops, Hop hop) {
        assertThat(Violated.of(INTERVAL, lost(hops), true).hop()).isEqualTo(hop);
    }

    @Test
    void aViolationThatNamesFewerThanWereFoundIsCut() {
        Violated whole = Violated.of(INTERVAL, lost("LOG LOG LOG"), true);
        assertThat(whole.isCut()).isFalse();
        assertThat(whole.naming(1, 1).anomalies()).containsExactly(lost(1, Hop.LOG));
        assertThat(whole.naming(1, 1).isCut()).isTrue();
        assertThat(whole.naming(2, 5).anomalies()).containsExactly(lost(2, Hop.LOG));
        assertThat(whole.naming(4, 5).anomalies()).isEmpty();
    }

    @Test
    void atMostAThousandAnomaliesAreToldAndAllAreCounted() {
        List<Anomaly> many = Collections.nCopies(Violated.MAX_NAMED + 1, lost(1, Hop.LOG));
        Violated reported = (Violated) Violated.reported(Violated.of(INTERVAL, many, true));
        assertThat(reported.anomalies()).hasSize(1_000);
        assertThat(reported.anomalyCount()).isEqualTo(1_001);
        assertThat(reported.isCut()).isTrue();
    }

    @Test
    void recordsThatWereNotReadAreCounted() {
        assertThat(Inconclusive.oversized(INTERVAL, 1).detail()).startsWith("1 record in it is too large");
        assertThat(Inconclusive.oversized(INTERVAL, 2).detail()).startsWith("2 records in it are too large");
    }

    @Test
    void atMostTenUncertainRangesAreNamedInWords() {
        List<SequenceRange> ten = LongStream.range(0, 10)
                .mapToObj(i -> new SequenceRange(3 * i, 3 * i + 2))
                .toList();
        assertThat(Inconclusive.uncertain(INTERVAL, ten).detail())
                .startsWith("upstream does not know whether 20 events arrived: sequences [0, 2), [3, 5), ")
                .endsWith(", [27, 29)");
        List<SequenceRange> eleven = new ArrayList<>(ten);
        eleven.add(new SequenceRange(40, 41));
        assertThat(Inconclusive.uncertain(INTERVAL, eleven).detail()).endsWith(", [27, 29), …");
        assertThat(Inconclusive.uncertain(INTERVAL, eleven).uncertain()).isEqualTo(eleven);
    }
}
