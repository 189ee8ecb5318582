package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A task with an output that is stopped at each of its steps between two records, by something that is thrown there: whoever drives it,
 * the bolt or its flusher, may call it once more, and its successor writes the rest.
 */
@Timeout(120)
class StoppedTaskTest {
    private static final int EVENTS = 24;

    /** What nobody expects. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aTaskThatWasStoppedAtAnyStepWritesNothingMoreAndItsSuccessorWritesTheRestOnce() {
        int steps = 0;
        while (stoppedAt(steps + 1)) {
            steps++;
        }
        // Of each record the sending at least, and of each transaction its beginning, the offsets and the commit.
        assertThat(steps).isGreaterThan(2 * EVENTS);
    }

    /** Stops a task at a step; false if it has done all of its work before. */
    private static boolean stoppedAt(int last) {
        PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);
        AtomicInteger steps = new AtomicInteger();
        boolean stopped;
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.producer.step = () -> {
                if (steps.incrementAndGet() == last) {
                    throw new Stopped();
                }
            };
            task.producer.sending = task.producer.step;
            stopped = stops(task);
            if (stopped) {
                long commits = task.producer.commitCount();
                assertThatThrownBy(task::tick).hasMessageContaining("has failed");
                assertThat(task.producer.commitCount()).isEqualTo(commits);
            }
        }
        try (PaperTask successor = new PaperTask(kafka, "halt")) {
            successor.runFor(40);
        }
        for (int partition = 0; partition < PaperTask.PARTITIONS; partition++) {
            assertThat(kafka.output(partition)).as("step %d", last).isEqualTo(kafka.expected(partition));
            assertThat(kafka.progress(partition))
                    .isLessThanOrEqualTo(kafka.output(partition).size());
            assertThat(kafka.told(partition)).isEmpty();
        }
        return stopped;
    }

    private static boolean stops(PaperTask task) {
        try {
            boolean more = true;
            for (int round = 0; more; round++) {
                boolean first = task.deliver(0);
                boolean second = task.deliver(1);
                more = first || second;
                if (more && round % 3 == 2) {
                    task.tick();
                }
            }
            task.tick();
            task.tick();
            return false;
        } catch (Stopped e) {
            return true;
        }
    }
}
