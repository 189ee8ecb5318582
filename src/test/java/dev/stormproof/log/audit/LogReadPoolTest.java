package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.RangeQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogReadPoolTest {
    private static final LogReadJob JOB = new LogReadJob(
            new TopicPartition("orders", 0), List.of(new RangeQuery(new StreamId("orders", 0, 7), 0, 0, 1, 1, 0)));

    /** The next outcome; empty if none comes within some seconds. */
    private static Optional<LogReadJob.Outcome> poll(LogReadPool pool) {
        Optional<LogReadJob.Outcome> outcome = pool.poll();
        for (int i = 0; i < 1_000 && outcome.isEmpty(); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            outcome = pool.poll();
        }
        return outcome;
    }

    @Test
    void anErrorIsToldToTheOwnerAndTheThreadTakesTheNextJob() {
        AtomicInteger made = new AtomicInteger();
        Error broken = new NoClassDefFoundError("on purpose");
        try (LogReadPool pool = new LogReadPool("test", 1, 2, () -> {
            made.incrementAndGet();
            throw broken;
        })) {
            for (int job = 1; job <= 3; job++) {
                pool.submit(JOB);
                assertThat(poll(pool)).hasValueSatisfying(outcome -> {
                    assertThat(outcome.failure()).contains(broken);
                    assertThat(outcome.left()).isEqualTo(JOB.tasks());
                });
                assertThat(made).hasValue(job);
            }
        }
    }

    @Test
    void aJobHoldsItsRoomUntilItsOutcomeWasPolled() {
        try (LogReadPool pool = new LogReadPool("test", 1, 1, () -> {
            throw new IllegalStateException("on purpose");
        })) {
            pool.submit(JOB);
            assertThat(pool.hasRoom()).isFalse();
            assertThat(poll(pool)).isPresent();
            assertThat(pool.hasRoom()).isTrue();
        }
    }
}
