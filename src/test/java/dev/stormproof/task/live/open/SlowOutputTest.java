package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.live.run.TaskTransaction;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An output each record of which takes a second: brokers end a transaction that is open for too long, whatever it holds. */
@Timeout(60)
class SlowOutputTest {
    private static final int EVENTS = 80;
    private static final long RECORD_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);
    private long commits = -1;
    private long begunMillis;
    private long longestMillis;

    @Test
    void whatIsDeliveredIsCommittedBeforeItsTransactionIsOld() {
        try (PaperTask task = slowTask()) {
            while (task.deliver(0)) {
                task.poll();
            }
            task.runFor(3);
        }

        assertThat(longestMillis).isLessThanOrEqualTo(TaskTransaction.MOST_OPEN_MILLIS + RECORD_MILLIS);
        assertThatAllIsWritten();
    }

    @Test
    void theRestOfAPieceIsReadAtOnceBehindTheCommit() {
        try (PaperTask task = slowTask()) {
            task.skipToTheLast(0);
            task.deliver(0);
            task.poll();

            assertThat(kafka.output(0)).hasSizeGreaterThan(3 * 10);
            task.runFor(3);
        }

        assertThatAllIsWritten();
    }

    @Test
    void whatIsNotSlowIsCommittedWithTheTick() {
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.deliverAll();
            assertThat(task.producer.commitCount()).isZero();
            task.runFor(3);
        }

        assertThatAllIsWritten();
    }

    private PaperTask slowTask() {
        return slow(new PaperTask(kafka, "halt"));
    }

    private PaperTask slow(PaperTask task) {
        task.producer.sending = () -> {
            if (task.producer.commitCount() != commits) {
                commits = task.producer.commitCount();
                begunMillis = task.nowMillis;
            }
            task.nowMillis += RECORD_MILLIS;
            longestMillis = Math.max(longestMillis, task.nowMillis - begunMillis);
        };
        return task;
    }

    private void assertThatAllIsWritten() {
        for (int partition = 0; partition < PaperTask.PARTITIONS; partition++) {
            assertThat(kafka.output(partition)).isEqualTo(kafka.expected(partition));
        }
    }
}
