package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.guards.Guards;
import dev.stormproof.judge.Anomaly;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the page says blind, by a clock that is given. */
class SignsOfLifeTest {
    private static final long BEGIN_MILLIS = 1_700_000_000_000L;

    private final SignsOfLife signs = new SignsOfLife(nanos(0));

    /** The clock has any value when it begins, such as one before its overflow. */
    private static long nanos(long seconds) {
        return Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(60) + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void take(boolean planted, Alert of, long toldSeconds, long seconds) {
        Alert alert =
                new Alert(of.source(), BEGIN_MILLIS + 1_000 * toldSeconds, Alert.NO_TOPIC_ID, planted, of.finding());
        signs.take(alert, BEGIN_MILLIS + 1_000 * seconds, nanos(seconds));
    }

    private static Alert violated() {
        return Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
    }

    private String saidAt(long seconds) {
        return signs.blind(nanos(seconds));
    }

    @Test
    @Guards("page-without-signs-of-life-says-blind")
    void aCanaryThatWasHeardIsMissedAfterAnIntervalAndTheTimeOfAnAlertAndNoLongerOnceItIsHeard() {
        take(true, violated(), 10, 10);
        assertThat(saidAt(160)).isEmpty();
        assertThat(saidAt(161)).isEqualTo("blind: the verifier has told no planted fault for 151 s");

        take(true, violated(), 162, 163);
        assertThat(saidAt(163)).isEmpty();
        assertThat(saidAt(313)).isEmpty();
        assertThat(saidAt(314)).startsWith("blind: ");
    }

    /** It is read from the topic's history, and says that there was a canary. */
    @Test
    @Guards("old-alert-is-no-sign-of-life")
    void anOldAlertIsNoSignOfLifeButHasItMissedFromTheBeginning() {
        take(true, violated(), -80, 70);
        assertThat(saidAt(150)).isEmpty();
        assertThat(saidAt(151)).isEqualTo("blind: the verifier has told no planted fault for 151 s");
    }

    @Test
    @Guards("alert-of-no-planted-fault-is-no-sign-of-life")
    void alertsOfNoPlantedFaultSayNothingOfACanary() {
        take(false, violated(), 10, 10);
        take(true, Findings.verified(0, 0), 10, 10);
        assertThat(saidAt(10_000)).isEmpty();

        take(true, violated(), 10_000, 10_000);
        take(false, violated(), 10_100, 10_100);
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
