package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that can write nothing for a while. */
@Timeout(60)
class UnwritableTaskTest {
    private static final int EVENTS = 40;
    private static final int TICKS_PER_SECOND = (int) (1_000 / PaperTask.TICK_MILLIS);

    @Test
    void itsLagIsThatOfWhatWasDeliveredMeanwhile() {
        PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.runFor(2 * TICKS_PER_SECOND);
            assertThat(task.lagRecords()).isZero();
            int verified = kafka.inputOf(0).size();
            kafka.append(EVENTS);
            task.producer.faults = record -> new TimeoutException("nobody answers");
            assertThat(task.deliver(0)).isTrue();
            task.tick();

            task.runFor(2 * TICKS_PER_SECOND);

            int taken = 1;
            assertThat(task.lagRecords()).isEqualTo(2L * (kafka.inputOf(0).size() - verified) - taken);
            task.producer.faults = record -> null;
            task.runFor(20 * TICKS_PER_SECOND);
            assertThat(task.lagRecords()).isZero();
            assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
        }
    }
}
