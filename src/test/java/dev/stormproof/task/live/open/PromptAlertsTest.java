package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.live.run.TaskRun;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Alerts are written as soon as the log was asked, not with the next tick; many of them share transactions. */
class PromptAlertsTest {
    private final PaperTask.Kafka kafka = new PaperTask.Kafka(40);

    private void alter(int partition, int... offsets) {
        List<ProducerRecord<byte[], byte[]>> input = kafka.inputOf(partition);
        for (int offset : offsets) {
            ProducerRecord<byte[], byte[]> event = input.get(offset);
            input.set(
                    offset,
                    new ProducerRecord<>(event.topic(), partition, event.key(), new byte[] {1}, event.headers()));
        }
    }

    @Test
    void anAlertDoesNotWaitForTheNextTick() {
        alter(0, 2);
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.tick();
            task.deliverAll();
            assertThat(kafka.written("alerts")).isEmpty();
            task.nowMillis += TaskRun.ALERTS_MILLIS;
            task.poll();
            assertThat(kafka.written("alerts")).hasSize(1);
        }
    }

    @Test
    void alertsOfTheSameMomentAreWrittenTogether() {
        alter(0, 2);
        alter(1, 2, 9);
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.tick();
            long before = task.producer.commitCount();
            task.deliverAll();
            task.nowMillis += TaskRun.ALERTS_MILLIS - 1;
            task.poll();
            assertThat(kafka.written("alerts")).as("written too soon").isEmpty();
            task.nowMillis += 1;
            task.poll();
            task.poll();
            assertThat(kafka.written("alerts")).hasSizeGreaterThan(1);
            assertThat(task.producer.commitCount()).isEqualTo(before + 1);
        }
    }
}
