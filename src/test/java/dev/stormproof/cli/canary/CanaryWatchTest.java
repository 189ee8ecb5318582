package dev.stormproof.cli.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a verifier counts as blind, with the real interval and time. */
class CanaryWatchTest {
    private final CanaryWatch watch = new CanaryWatch(Set.of(0), 60_000, 90_000, 0);

    private static Alert alert(boolean canary, String name, int partition, long... lost) {
        StreamId stream = new StreamId("canary", partition, 7);
        List<Anomaly> anomalies = LongStream.of(lost)
                .mapToObj(sequence -> new Anomaly(
                        Anomaly.Kind.LOST, stream, sequence, sequence + 1, -1, 0, Hash.empty(), Hash.empty()))
                .toList();
        IntervalId interval = new IntervalId(stream, 1, 30, 0, 20, Hash.empty(), name, 0, Seal.NONE, Tail.NONE);
        return new Alert("/stormproof/g", 0, 0, canary, new Violated(interval, true, anomalies.size(), anomalies));
    }

    @Test
    void whoTellsEachFaultInTimeIsNotBlind() {
        for (long minute = 0; minute < 60; minute++) {
            watch.planted(new PlantedFault("c" + minute, 0, 5), minute * 60_000);
            assertThat(watch.reported(alert(true, "c" + minute, 0, 5))).isTrue();
            assertThat(watch.blind(minute * 60_000 + 59_000)).isEmpty();
        }
        assertThat(watch.reported()).isEqualTo(60);
        assertThat(watch.sinceReportedMillis(59 * 60_000 + 2_000)).isEqualTo(2_000);
    }

    @Test
    void anAlertThatComesBeforeItsFaultIsNotedIsAnAnswer() {
        watch.writes("a");
        assertThat(watch.reported(alert(true, "b", 0, 5))).isFalse();
        assertThat(watch.reported(alert(true, "a", 0, 5))).isFalse();
        watch.planted(new PlantedFault("a", 0, 5), 0);
        assertThat(watch.reported()).isEqualTo(1);
        assertThat(watch.blind(90_001)).isEmpty();

        watch.writes("c");
        watch.planted(new PlantedFault("c", 0, 5), 60_000);
        assertThat(watch.blind(150_001)).isPresent();
    }

    /** Whatever stops it, and whenever in the minute, it is known within three minutes. */
    @Test
    void whoStopsTellingIsBlindWithinThreeMinutes() {
        watch.planted(new PlantedFault("a", 0, 5), 0);
        assertThat(watch.reported(alert(true, "a", 0, 5))).isTrue();
        long stopped = 1;
        watch.planted(new PlantedFault("b", 0, 5), 60_000);
        watch.planted(new PlantedFault("c", 0, 5), 120_000);
        assertThat(watch.blind(150_000)).isEmpty();
        assertThat(watch.blind(150_001)).isPresent();
        assertThat(150_001 - stopped).isLessThan(180_000);
    }

    @Test
    void ofManyUntoldFaultsTheLatestAreRemembered() {
        for (int number = 0; number <= CanaryWatch.MOST_WAITING; number++) {
            watch.planted(new PlantedFault("c" + number, 0, 5), number * 60_000L);
        }
        assertThat(watch.reported(alert(true, "c0", 0, 5))).isFalse();
        assertThat(watch.blind(CanaryWatch.MOST_WAITING * 60_000L)).isPresent();
        assertThat(watch.reported(alert(true, "c" + CanaryWatch.MOST_WAITING, 0, 5)))
                .isTrue();
        assertThat(watch.blind(CanaryWatch.MOST_WAITING * 60_000L)).isEmpty();
    }

    @Test
    void oneBlindPartitionOfSeveralIsBlindness() {
        watch.planted(new PlantedFault("a", 0, 5), 0);
        watch.planted(new PlantedFault("b", 1, 5), 0);
        watch.reported(alert(true, "a", 0, 5));
        assertThat(watch.blind(90_001)).isPresent();
    }

    @Test
    void aLaterFaultThatIsToldEndsIt() {
        watch.planted(new PlantedFault("a", 0, 5), 0);
        watch.planted(new PlantedFault("b", 0, 5), 60_000);
        assertThat(watch.blind(100_000)).isPresent();
        assertThat(watch.reported(alert(true, "b", 0, 5))).isTrue();
        assertThat(watch.blind(100_000)).isEmpty();
    }

    @Test
    void onlyAnAlertOfThePlantedEventIsAnAnswer() {
        watch.planted(new PlantedFault("a", 0, 5), 0);
        assertThat(watch.reported(alert(true, "a", 0, 6))).as("another event").isFalse();
        assertThat(watch.reported(alert(true, "a", 0, 5, 6))).as("more than it").isFalse();
        assertThat(watch.reported(alert(true, "b", 0, 5))).as("another stream").isFalse();
        assertThat(watch.reported(alert(false, "a", 0, 5))).as("no canary").isFalse();
        assertThat(watch.blind(90_001)).isPresent();
    }

    @Test
    void whoCannotPlantKnowsNothing() {
        watch.planted(new PlantedFault("a", 0, 5), 0);
        watch.reported(alert(true, "a", 0, 5));
        assertThat(watch.blind(150_000)).isEmpty();
        assertThat(watch.blind(150_001))
                .hasValueSatisfying(why -> assertThat(why).contains("no fault could be planted"));
    }

    @Test
    void whoCannotPlantInOnePartitionKnowsNothingOfThat() {
        plantAndTell(watch, 0, 0);
        plantAndTell(watch, 1, 0);
        for (long minute = 1; minute <= 60; minute++) {
            plantAndTell(watch, 0, minute * 60_000);
        }
        assertThat(watch.blind(3_600_000))
                .hasValueSatisfying(why -> assertThat(why).contains("no fault could be planted in partition 1"));
    }

    @Test
    void aPartitionThatNothingWasEverPlantedInIsNotTold() {
        CanaryWatch ofTwo = new CanaryWatch(Set.of(0, 1), 60_000, 90_000, 0);
        plantAndTell(ofTwo, 0, 0);
        plantAndTell(ofTwo, 0, 60_000);
        plantAndTell(ofTwo, 0, 120_000);
        assertThat(ofTwo.reported()).isEqualTo(3);
        assertThat(ofTwo.isEachPartitionReported()).isFalse();
        assertThat(ofTwo.blind(150_000)).isEmpty();
        assertThat(ofTwo.blind(150_001)).isPresent();

        plantAndTell(ofTwo, 1, 150_001);
        assertThat(ofTwo.isEachPartitionReported()).isTrue();
        assertThat(ofTwo.blind(150_001)).isEmpty();
    }

    @Test
    void aPartitionThatIsAddedIsWatchedFromThenOn() {
        plantAndTell(watch, 0, 0);
        watch.add(1, 60_000);
        watch.add(1, 120_000);
        assertThat(watch.isEachPartitionReported()).isFalse();
        plantAndTell(watch, 0, 60_000);
        plantAndTell(watch, 0, 120_000);
        plantAndTell(watch, 0, 180_000);
        assertThat(watch.blind(210_000)).isEmpty();
        assertThat(watch.blind(210_001))
                .hasValueSatisfying(why -> assertThat(why).contains("no fault could be planted in partition 1"));
        plantAndTell(watch, 1, 210_001);
        watch.add(1, 210_002);
        assertThat(watch.isEachPartitionReported()).isTrue();
        assertThat(watch.blind(210_002)).isEmpty();
    }

    private static void plantAndTell(CanaryWatch watch, int partition, long millis) {
        String name = partition + "-" + millis;
        watch.planted(new PlantedFault(name, partition, 5), millis);
        assertThat(watch.reported(alert(true, name, partition, 5))).isTrue();
    }
}
