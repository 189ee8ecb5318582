package dev.stormproof.task.live.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watcher of the inputs does about what is thrown at it. */
@Timeout(60)
class WatchedInputsTest {
    private static final Map<TopicPartition, Long> FOUND = Map.of(new TopicPartition("orders", 0), 7L);

    /** An Admin client that breaks once, in a way that Kafka's exceptions do not tell of, and answers from then on. */
    private static final class BrokenOnce implements WatchedInputs.Asker {
        private final Throwable thrown;
        private final AtomicInteger asked = new AtomicInteger();
        private final CountDownLatch again = new CountDownLatch(2);

        BrokenOnce(Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        public WatchedInputs.Found ask() {
            again.countDown();
            if (asked.incrementAndGet() > 1) {
                return new WatchedInputs.Found(FOUND, 3);
            } else if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }

        @Override
        public void close() {}
    }

    @Test
    void aLookThatBreaksIsFollowedByOthers() throws Exception {
        for (Throwable thrown : new Throwable[] {
            new IllegalStateException("a client of another release"), new NoClassDefFoundError("a class of the client")
        }) {
            BrokenOnce asker = new BrokenOnce(thrown);
            CountDownLatch looked = new CountDownLatch(1);
            try (WatchedInputs inputs =
                    new WatchedInputs(asker, found -> looked.countDown(), System::nanoTime, "test-inputs")) {
                assertThat(looked.await(20, TimeUnit.SECONDS))
                        .as("after %s", thrown)
                        .isTrue();
                assertThat(asker.again.getCount()).isZero();
                assertThat(inputs).isNotNull();
            }
        }
    }

    @Test
    void whatKafkaAnsweredIsKnown() {
        BrokenOnce answers = new BrokenOnce(new IllegalStateException("never"));
        answers.asked.set(1);
        try (WatchedInputs inputs = new WatchedInputs(answers, found -> {}, System::nanoTime, "test-inputs")) {
            inputs.look();
            assertThat(inputs.partitions()).isEqualTo(FOUND);
            assertThat(inputs.expected()).isEqualTo(1 + 3);
            assertThat(inputs.silentMillis()).isZero();
        }
    }

    /** What was told of a new partition is read back first, which may be the whole alerts topic. */
    @Test
    void whatIsFoundIsExpectedWhileItIsBeingTakenOn() throws Exception {
        BrokenOnce answers = new BrokenOnce(new IllegalStateException("never"));
        answers.asked.set(1);
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (WatchedInputs inputs = new WatchedInputs(
                answers,
                found -> {
                    taking.countDown();
                    try {
                        boolean unused = end.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                System::nanoTime,
                "test-inputs")) {
            assertThat(taking.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(inputs.expected()).isEqualTo(1 + 3);
            end.countDown();
        }
    }

    @Test
    void aLookThatBreaksIsNoAnswerOfKafka() {
        WatchedInputs.Asker broken = new WatchedInputs.Asker() {
            @Override
            public WatchedInputs.Found ask() {
                throw new IllegalStateException("a client of another release");
            }

            @Override
            public void close() {}
        };
        try (WatchedInputs inputs = new WatchedInputs(broken, found -> {}, System::nanoTime, "test-inputs")) {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (inputs.silentMillis() == 0 && System.nanoTime() < deadlineNanos) {
                Thread.onSpinWait();
            }
            assertThat(inputs.silentMillis()).isPositive();
            assertThat(inputs.partitions()).isEmpty();
        }
    }
}
