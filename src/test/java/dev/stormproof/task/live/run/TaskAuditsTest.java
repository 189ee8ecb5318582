package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Partitions that cannot be read, each with an audit that is never answered. */
@Timeout(60)
class TaskAuditsTest {
    private final Brokers brokers = new Brokers();
    private final LogReadPool pool = new LogReadPool("task-audits", 4, 16, () -> brokers);
    private final List<Throwable> escalated = new ArrayList<>();
    private final TaskAudits audits = new TaskAudits(pool, escalated::add);

    @AfterEach
    void endThreads() {
        pool.close();
    }

    @Test
    void onePartitionAtATimeTriesAgain() {
        for (int partition = 0; partition < 4; partition++) {
            add("orders", partition);
        }
        audits.askAll();
        assertThat(pool.pending()).isEqualTo(4);
        brokers.permits.release(4);
        answers(4);
        assertThat(audits.failing()).isEqualTo(4);

        audits.tick(1_000_000);
        audits.askAll();
        assertThat(pool.pending()).isEqualTo(1);

        brokers.permits.release(1);
        answers(1);
        audits.askAll();
        assertThat(pool.pending()).as("it is the next one's turn").isEqualTo(1);
    }

    @Test
    void whatHasNoRoomInThePoolWaits() {
        for (int partition = 0; partition < 20; partition++) {
            add("orders", partition);
        }
        audits.askAll();
        assertThat(pool.pending()).isEqualTo(16);
        assertThat(pool.hasRoom()).isFalse();

        brokers.permits.release(20);
        answers(16);
        audits.askAll();
        answers(4);
        assertThat(audits.failing()).isEqualTo(20);
    }

    @Test
    void aTopicCountsAsDeletedOnceTheBrokersDidNotKnowItThreeTimesInARow() {
        brokers.failures = List.of(
                new UnknownTopicOrPartitionException("orders"),
                new UnknownTopicOrPartitionException("orders"),
                new TimeoutException("no broker"),
                new UnknownTopicOrPartitionException("orders"),
                new UnknownTopicOrPartitionException("orders"),
                new UnknownTopicOrPartitionException("orders"));
        add("orders", 0);
        for (int attempt = 1; attempt <= 6; attempt++) {
            assertThat(audits.drainGone()).isEmpty();
            audits.tick(attempt * TaskAudits.BACKOFF.mostMillis());
            audits.askAll();
            brokers.permits.release(1);
            answers(1);
        }

        assertThat(audits.drainGone()).isEqualTo(Set.of("orders"));
        assertThat(audits.drainGone()).isEmpty();
        audits.remove(new TopicPartition("orders", 0));
        assertThat(audits.failing()).isZero();
        audits.tick(10 * TaskAudits.BACKOFF.mostMillis());
        audits.askAll();
        assertThat(pool.pending()).isZero();
    }

    private void add(String topic, int partition) {
        ChainVerifier verifier = ChainLog.verifier(new PartitionId(topic, partition), 5);
        verifier.readOn();
        audits.add(new TopicPartition(topic, partition), verifier, id -> true, Optional.empty());
    }

    private void answers(int count) {
        for (int answered = 0; answered < count; ) {
            answered += audits.drain().size();
        }
    }

    /** Brokers that answer each question with a failure, once they may. */
    private static final class Brokers implements LogReader {
        private final Semaphore permits = new Semaphore(0);
        private final AtomicInteger asked = new AtomicInteger();
        private volatile List<? extends KafkaException> failures = List.of(new TimeoutException("no broker"));

        @Override
        public PartitionReader of(TopicPartition partition) {
            try {
                permits.acquire();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            throw failures.get(asked.getAndIncrement() % failures.size());
        }

        @Override
        public void close() {}
    }
}
