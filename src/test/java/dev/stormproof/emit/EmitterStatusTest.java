package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What an application's health check learns of its emitter. */
class EmitterStatusTest {
    private static final long DEADLINE_MILLIS = 120_000;

    @Test
    void anEmitterThatMeetsItsDeadlinesHasNoTrouble() {
        EmitterRig rig = rig(true);
        assertThat(rig.producer.status().trouble()).isEmpty();
        rig.sendAll(0, "a", "b");

        assertThat(rig.producer.status()).isEqualTo(new EmitterStatus(false, Optional.empty()));
        assertThat(rig.stats(0).openEvents()).isEqualTo(2);
        assertThat(rig.stats(0).lastCheckpointMillis()).isEqualTo(rig.clock.get());

        for (int i = 0; i < 10; i++) {
            rig.clock.addAndGet(DEADLINE_MILLIS / 2);
            rig.producer.tick();
            assertThat(rig.producer.status().trouble()).isEmpty();
        }
        assertThat(rig.stats(0).openEvents()).isZero();
        assertThat(rig.stats(0).lastCheckpointMillis()).isEqualTo(rig.clock.get());
    }

    @Test
    void checkpointsThatAreSentAndDoNotArriveAreTroubleAfterTheDeadline() {
        EmitterRig rig = rig(false);
        rig.sendAll(0, "a");
        rig.arrive(1); // a; #0 arrives by itself
        rig.producer.tick();
        rig.clock.addAndGet(DEADLINE_MILLIS);
        rig.producer.tick(); // #1, which stays in flight
        assertThat(rig.producer.status().trouble()).as("not after the deadline").isEmpty();

        rig.clock.addAndGet(1_000);
        assertThat(rig.producer.status().closed()).isFalse();
        assertThat(rig.producer.status().trouble())
                .contains("t-0: no checkpoint has arrived for 121 s, beyond the deadline of 120 s");

        rig.arrive(1);
        assertThat(rig.producer.status().trouble()).isEmpty();
    }

    @Test
    void aPartitionWhoseStreamHasEndedIsNotLate() {
        EmitterRig rig = rig(false);
        rig.sendAll(0, "a");
        rig.fail(new TimeoutException("delivery timed out"));
        rig.producer.tick(); // The closing checkpoint of the stream that failed; no other one begins.
        rig.arrive(1);
        rig.producer.tick();

        rig.clock.addAndGet(10 * DEADLINE_MILLIS);
        assertThat(rig.producer.status().trouble()).isEmpty();
    }

    @Test
    void aClosedEmitterSaysThatEachEventHasItsCheckpoint() {
        EmitterRig rig = rig(true);
        rig.sendAll(0, "a");
        rig.producer.close();

        assertThat(rig.producer.status().closed()).isTrue();
        assertThat(rig.producer.status().trouble()).contains("the emitter is closed; every event has its checkpoint");
    }

    @Test
    void orWhichPartitionsHaveNone() {
        EmitterRig rig = rig(true);
        rig.sendAll(0, "a");
        rig.sendAll(1, "b");
        rig.producer.close(Duration.ZERO);

        assertThat(rig.producer.status().trouble())
                .contains("the emitter is closed without the last checkpoint of t-0, t-1");
    }

    private static EmitterRig rig(boolean autoComplete) {
        return new EmitterRig(autoComplete, EmitterConfig.DEADLINE_MS, DEADLINE_MILLIS);
    }
}
