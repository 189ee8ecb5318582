package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

/** How long an emitter waits at most, and how many threads it has. */
class EmitterBoundsTest {
    @Test
    void thereAreSixtyFourBackgroundThreadsAndWhatFindsNoneIsRejected() {
        CountDownLatch ended = new CountDownLatch(1);
        ExecutorService threads = BackgroundThreads.start();
        try {
            for (int i = 0; i < 64; i++) {
                Future<?> unused = threads.submit(() -> await(ended));
            }
            assertThatThrownBy(() -> threads.submit(() -> await(ended))).isInstanceOf(RejectedExecutionException.class);
        } finally {
            ended.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void eightTopicsAreRecoveredAtATimeAndTheOthersWait() throws Exception {
        ExecutorService threads = BackgroundThreads.startQueued();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(threads.submit(() -> {
                    running.incrementAndGet();
                    await(ended);
                }));
            }
            Clients.await("eight run", () -> running.get() == 8);
            ended.countDown();
            for (Future<?> one : all) {
                one.get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            ended.countDown();
            threads.shutdownNow();
        }
    }

    /** Each recovery stands, for there is no broker. */
    @Test
    void recoveriesTakeNoThreadFromHeartbeats() throws Exception {
        AtomicLong clock = new AtomicLong(1_000_000);
        FailingProducer inner = new FailingProducer(EmitterRig.TOPIC, true);
        MetricName name = new MetricName("has", "cluster", "", Map.of());
        inner.setMockMetrics(
                name,
                new KafkaMetric(
                        new Object(), name, (Gauge<Integer>) (config, now) -> 1, new MetricConfig(), Time.SYSTEM));
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                "localhost:1",
                EmitterConfig.EMITTER_NAME,
                "billing",
                EmitterConfig.RECOVER,
                true,
                EmitterConfig.PROMISE_MS,
                10_000L);
        CheckpointingProducer<String, String> producer = new CheckpointingProducer<>(
                settings,
                new StringSerializer(),
                new StringSerializer(),
                properties -> inner,
                (producerInside, properties) -> topic -> OptionalInt.of(1_048_588),
                clock::get,
                BackgroundThreads.start());
        try {
            for (int topic = 0; topic < 64; topic++) {
                Future<?> unused = producer.send(new ProducerRecord<>("topic-" + topic, 0, null, "a"));
            }
            int sent = inner.handedOver().size();
            clock.addAndGet(5_000);
            long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (inner.handedOver().size() == sent && System.nanoTime() - untilNanos < 0) {
                producer.tick();
                Thread.onSpinWait();
            }
            assertThat(inner.handedOver().size()).as("a heartbeat").isGreaterThan(sent);
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    @Test
    void aFirstSendWaitsFiveSecondsAtMostForTheTopicsLimit() {
        assertThat(TopicLimit.waitMillis(60_000)).isEqualTo(5_000);
        assertThat(TopicLimit.waitMillis(100)).isEqualTo(100);
    }

    @Test
    void theTimerLooksOnceASecondAtLeast() {
        assertThat(tickMillis(3_600_000)).isEqualTo(1_000);
        assertThat(tickMillis(2_000)).isEqualTo(500);
        assertThat(tickMillis(1)).isEqualTo(5);
    }

    @Test
    void betweenTwoAttemptsToCloseAStreamLiesASecondAtMost() {
        assertThat(StreamClosing.pauseAfter(50)).isEqualTo(100);
        assertThat(StreamClosing.pauseAfter(800)).isEqualTo(1_000);
        assertThat(StreamClosing.pauseAfter(1_000)).isEqualTo(1_000);
    }

    private static long tickMillis(long maxIntervalMillis) {
        return CheckpointingProducer.tickMillis(new EmitterConfig(Map.of(
                EmitterConfig.MAX_INTERVAL_MS, maxIntervalMillis, EmitterConfig.PROMISE_MS, 100 * maxIntervalMillis)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
