package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the page says blind, by a clock that is given. */
class VerifierHealthTest {
    private static final long BEGIN_MILLIS = 1_700_000_000_000L;

    private final VerifierHealth signs = new VerifierHealth(nanos(0));

    private static long nanos(long seconds) {
        return Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(60) + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void take(String name, long toldSeconds, boolean isNew, long seconds) {
        Violated of = (Violated) violated().finding();
        IntervalId interval = of.interval();
        IntervalId named = new IntervalId(
                interval.stream(),
                interval.number(),
                interval.checkpointOffset(),
                interval.firstSequence(),
                interval.eventCount(),
                interval.statement(),
                name,
                interval.writtenMillis(),
                interval.seal(),
                Tail.NONE);
        take(true, new Violated(named, true, 1, of.anomalies()), toldSeconds, isNew, seconds);
    }

    private void take(boolean planted, Finding finding, long toldSeconds, boolean isNew, long seconds) {
        Alert alert =
                new Alert("/stormproof/test", BEGIN_MILLIS + 1_000 * toldSeconds, Alert.NO_TOPIC_ID, planted, finding);
        signs.take(alert, isNew, BEGIN_MILLIS + 1_000 * seconds, nanos(seconds));
    }

    private static Alert violated() {
        return Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
    }

    private String saidAt(long seconds) {
        return signs.blind(nanos(seconds));
    }

    @Test
    void aCanaryThatWasHeardIsMissedAfterAnIntervalAndTheTimeOfAnAlertAndNoLongerOnceItIsHeard() {
        take("canary-a-0", -50, true, 0);
        take("canary-a-1", 10, true, 10);
        assertThat(saidAt(160)).isEmpty();
        assertThat(saidAt(161)).isEqualTo("blind: the verifier has reported no planted fault for 151 s");

        take("canary-a-2", 162, true, 163);
        assertThat(saidAt(163)).isEmpty();
        assertThat(saidAt(313)).isEmpty();
        assertThat(saidAt(314)).startsWith("blind: ");
    }

    /** As {@code canary --once} plants it; its open finding and its verdict name the same fault. */
    @Test
    void aCanaryThatPlantedOnceIsNotMissed() {
        take("canary-a-0", 10, true, 10);
        take("canary-a-0", 12, true, 12);
        take("canary-b-1", 100, true, 100);
        assertThat(saidAt(10_000)).isEmpty();
    }

    /** It is read from the topic's history, and says that there was a canary. */
    @Test
    void anOldAlertIsNoSignOfLifeButHasItMissedFromTheBeginning() {
        take("canary-a-7", -140, false, 70);
        take("canary-a-8", -80, false, 70);
        assertThat(saidAt(150)).isEmpty();
        assertThat(saidAt(151)).isEqualTo("blind: the verifier has reported no planted fault for 151 s");
    }

    @Test
    void aCanaryThatWasTakenDownADayAgoIsNotMissed() {
        take("canary-a-7", -86_500, false, 0);
        take("canary-a-8", -86_440, false, 0);
        assertThat(saidAt(10_000)).isEmpty();
    }

    @Test
    void aCanaryThatPlantsEachTenMinutesIsMissedAfterTwentyFive() {
        take("canary-a-0", 0, true, 0);
        take("canary-a-1", 600, true, 600);
        assertThat(saidAt(2_100)).isEmpty();
        assertThat(saidAt(2_101)).startsWith("blind: ");
    }

    /** A pod that is replaced plants in a run of another name. */
    @Test
    void aCanaryThatWasStartedAgainIsWaitedForAsLongAsBefore() {
        take("canary-a-0", 0, true, 0);
        take("canary-a-1", 300, true, 300);
        take("canary-a-2", 600, true, 600);
        take("canary-b-0", 700, true, 700);
        assertThat(saidAt(1_400)).isEmpty();
        assertThat(saidAt(1_451)).startsWith("blind: ");
    }

    /** Else a verifier that was away for an hour, and goes away again, is missed hours later. */
    @Test
    void oneLongPauseHasNothingWaitedForLonger() {
        take("canary-a-0", 0, true, 0);
        take("canary-a-1", 60, true, 60);
        take("canary-a-61", 3_660, true, 3_660);
        assertThat(saidAt(3_811)).startsWith("blind: ");
    }

    /** The clocks of the verifier and of the page need not agree. */
    @Test
    void aSignThatCameNowIsOneWhateverItsTime() {
        signs.expect();
        for (int second = 60; second < 600; second += 60) {
            take("canary-a-" + second, second - 1_000_000, true, second);
            assertThat(saidAt(second + 59)).isEmpty();
        }
    }

    @Test
    void alertsOfNoPlantedFaultSayNothingOfACanary() {
        take(false, violated().finding(), 10, true, 10);
        take(true, Findings.verified(0, 0).finding(), 10, true, 10);
        assertThat(saidAt(10_000)).isEmpty();

        signs.expect();
        take("canary-a-0", 10_000, true, 10_000);
        take(false, violated().finding(), 10_100, true, 10_100);
        assertThat(saidAt(10_151)).startsWith("blind: ");
    }

    @Test
    void aCanaryThatNobodySpokeOfIsNotMissed() {
        assertThat(saidAt(10_000)).isEmpty();
    }

    @Test
    void oneThatIsExpectedIsMissedThoughItWasNeverHeard() {
        signs.expect();
        assertThat(saidAt(150)).isEmpty();
        assertThat(saidAt(151)).startsWith("blind: ");
    }
}
