package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sign.EventSigners;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recoveries that fail, and are tried again. */
@OnKafka
@Timeout(90)
class RecoveryAgainOnKafkaTest {
    private static final long PATIENCE_SECONDS = 20;

    private final EmbeddedKafka kafka;
    private final String topic;

    RecoveryAgainOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "recovery", 1);
    }

    private Map<String, Object> settings() {
        return new HashMap<>(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                EmitterConfig.EMITTER_NAME,
                "billing",
                EmitterConfig.RECOVER,
                true,
                EmitterConfig.PROMISE_MS,
                1_000L,
                "delivery.timeout.ms",
                1_500,
                "request.timeout.ms",
                1_000,
                "linger.ms",
                0));
    }

    /** An emitter that ends without its closing checkpoint. */
    private void leaveOpen(String topic, int events) {
        leaveOpen(topic, events, settings());
    }

    private void leaveOpen(String topic, int events, Map<String, Object> settings) {
        CheckpointingProducer<String, String> first =
                new CheckpointingProducer<>(settings, new StringSerializer(), new StringSerializer());
        for (int i = 0; i < events; i++) {
            var unused = first.send(new ProducerRecord<>(topic, 0, null, "event " + i));
        }
        first.flush();
        first.close(Duration.ZERO);
    }

    private Recovery recovery(Map<String, Object> settings, ExecutorService threads, Recovery.Writing writing) {
        return recovery(settings, threads, emitter -> false, System::nanoTime, writing);
    }

    private Recovery recovery(
            Map<String, Object> settings,
            ExecutorService threads,
            LongPredicate isOwn,
            LongSupplier nanoTime,
            Recovery.Writing writing) {
        return new Recovery(
                new EmitterConfig(settings()),
                settings,
                threads,
                isOwn,
                System::currentTimeMillis,
                nanoTime,
                () -> false,
                writing);
    }

    private static void assertCovers(int events, byte @Nullable [] end) throws Exception {
        assertThat(stated(end).eventCount()).isEqualTo(events);
    }

    private static Format2Checkpoint stated(byte @Nullable [] end) throws Exception {
        assertThat(end).as("the end that was left open").isNotNull();
        Format2Checkpoint stated = CheckpointCodec.decode(Objects.requireNonNull(end));
        assertThat(stated.recovered()).isTrue();
        return stated;
    }

    @Test
    @SuppressWarnings("try") // Whoever listens there accepts, and says nothing.
    void whatIsLeftOpenIsRecoveredOnceTheBrokersAreBack() throws Exception {
        leaveOpen(topic, 3);
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        try (ServerSocket away = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, Object> settings = new ConcurrentHashMap<>(settings());
            settings.put("bootstrap.servers", "127.0.0.1:" + away.getLocalPort());
            settings.put("default.api.timeout.ms", 1_000);
            try (Recovery recovery =
                    recovery(settings, BackgroundThreads.startQueued(), (partition, end) -> written.add(end))) {
                recovery.of(topic);
                away.accept().close();
                settings.put("bootstrap.servers", kafka.bootstrapServers());
                assertCovers(3, written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
        }
    }

    /** Its emitter is waited for anew, as if nothing had been read. */
    @Test
    void anEndThatCouldNotBeWrittenIsStatedLater() throws Exception {
        leaveOpen(topic, 2);
        AtomicInteger tries = new AtomicInteger();
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        try (Recovery recovery = recovery(settings(), BackgroundThreads.startQueued(), (partition, end) -> {
            if (tries.getAndIncrement() == 0) {
                throw new KafkaException("not now");
            }
            return written.add(end);
        })) {
            recovery.of(topic);
            assertCovers(2, written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** A broker that has just come back may not know a topic yet. */
    @Test
    void aTopicThatIsNotKnownYetIsAskedForAgain() throws Exception {
        String later = SharedKafka.unique("recovery");
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        CountDownLatch known = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            protected void beforeExecute(Thread thread, Runnable work) {
                try {
                    if (looks.getAndIncrement() > 0) {
                        known.await();
                    }
                } catch (InterruptedException e) {
                    thread.interrupt();
                }
            }
        };
        try (Recovery recovery = recovery(settings(), threads, (partition, end) -> written.add(end))) {
            recovery.of(later);
            Clients.await("a look at what is not there", () -> threads.getCompletedTaskCount() > 0);
            kafka.createTopic(later, 1, Map.of());
            leaveOpen(later, 1);
            known.countDown();
            assertCovers(1, written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** The settings of an emitter may have changed between its end and the next one's begin. */
    @Test
    void whoPromisedMoreThanItsSuccessorIsRecoveredAllTheSame() throws Exception {
        Map<String, Object> patient = settings();
        patient.put(EmitterConfig.PROMISE_MS, TimeUnit.MINUTES.toMillis(15));
        leaveOpen(topic, 3, patient);
        AtomicLong nanos = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch read = new CountDownLatch(1);
        LongPredicate isOwn = emitter -> {
            read.countDown();
            return false;
        };
        LongSupplier nanoTime = () -> {
            looks.incrementAndGet();
            return nanos.get();
        };
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (Recovery recovery = recovery(settings(), threads, isOwn, nanoTime, (partition, end) -> written.add(end))) {
            recovery.of(topic);
            assertThat(read.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            awaitMoreLooks(looks, threads);
            nanos.set(TimeUnit.MINUTES.toNanos(15));
            awaitMoreLooks(looks, threads);
            assertThat(written).as("what was stated before delivery is over").isEmpty();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
            assertCovers(3, written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** Behind a transaction that stays open nothing is read, and nobody has shown that he lives. */
    @Test
    void aLogWhoseEndCannotBeReadIsReadAnewUntilItCan() throws Exception {
        leaveOpen(topic, 3);
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (KafkaProducer<byte[], byte[]> open = openTransaction();
                Recovery recovery = recovery(
                        settings(), threads, emitter -> false, ticking(), (partition, end) -> written.add(end))) {
            recovery.of(topic);
            Clients.await("the end of a reading", () -> threads.getCompletedTaskCount() > 0);
            assertThat(written).isEmpty();
            open.abortTransaction();
            assertThat(stated(written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).emitterName())
                    .isEqualTo("billing");
        }
    }

    @Test
    void anEndThatCannotBeReadOnceAnEmitterIsSilentIsReadAnewUntilItCan() throws Exception {
        leaveOpen(topic, 3);
        CountDownLatch read = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        LongSupplier ticking = ticking();
        LongSupplier nanoTime = () -> {
            looks.incrementAndGet();
            return begun.getCount() > 0 ? 0 : ticking.getAsLong();
        };
        LongPredicate isOwn = emitter -> {
            read.countDown();
            return false;
        };
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (Recovery recovery = recovery(settings(), threads, isOwn, nanoTime, (partition, end) -> written.add(end))) {
            recovery.of(topic);
            assertThat(read.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            awaitMoreLooks(looks, threads);
            try (KafkaProducer<byte[], byte[]> open = openTransaction()) {
                begun.countDown();
                Clients.await("the end of a reading", () -> threads.getCompletedTaskCount() > 0);
                assertThat(written).isEmpty();
                open.abortTransaction();
            }
            assertThat(stated(written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).emitterName())
                    .isEqualTo("billing");
        }
    }

    /** Somebody writes the name of an emitter, and promises a checkpoint in centuries. */
    @Test
    void whoPromisesForCenturiesKeepsTheRecoveryOfOtherTopicsWaitingForDays() throws Exception {
        String other = SharedKafka.createTopic(kafka, "recovery", 1);
        leaveOpen(other, 2);
        try (KafkaProducer<byte[], byte[]> anybody = producer(Map.of())) {
            Headers headers = new RecordHeaders().add(Format2Checkpoint.HEADER, promisingForCenturies());
            anybody.send(new ProducerRecord<>(topic, 0, null, null, null, headers))
                    .get();
        }
        CountDownLatch read = new CountDownLatch(1);
        LongPredicate isOwn = emitter -> {
            read.countDown();
            return false;
        };
        AtomicLong leapNanos = new AtomicLong();
        LongSupplier ticking = ticking();
        LongSupplier nanoTime = () -> leapNanos.get() + ticking.getAsLong();
        BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (Recovery recovery = recovery(settings(), threads, isOwn, nanoTime, (partition, end) -> written.add(end))) {
            recovery.of(topic);
            recovery.of(other);
            assertThat(read.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            leapNanos.set(TimeUnit.DAYS.toNanos(4));
            assertThat(stated(written.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).emitterName())
                    .isEqualTo("billing");
        }
    }

    private byte[] promisingForCenturies() {
        return CheckpointCodec.encode(new Format2Checkpoint(
                new StreamId(topic, 0, 77),
                "billing",
                0,
                0,
                0,
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                16,
                new Interval(TreeHash.XXH3, 0, false).root(),
                Hash.empty(),
                1,
                Long.MAX_VALUE,
                Format2Checkpoint.Ending.OPEN,
                List.of(),
                -1,
                Optional.empty(),
                Optional.empty()));
    }

    /** A clock that goes on by a second whenever it is looked at. */
    private static LongSupplier ticking() {
        AtomicLong nanos = new AtomicLong();
        return () -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private KafkaProducer<byte[], byte[]> openTransaction() throws Exception {
        KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", SharedKafka.unique("open")));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {1})).get();
        return producer;
    }

    /** So many that the log was polled in between. */
    private static void awaitMoreLooks(AtomicInteger looks, ThreadPoolExecutor threads) {
        int before = looks.get();
        Clients.await(
                "more looks at the clock", () -> looks.get() > before + 10 || threads.getCompletedTaskCount() > 0);
        assertThat(threads.getCompletedTaskCount()).as("recoveries that ended").isZero();
    }

    @Test
    @SuppressWarnings("try") // Whoever listens there accepts, and says nothing.
    void whoIsClosedTriesNothingAgain() throws Exception {
        ExecutorService threads = BackgroundThreads.startQueued();
        try (ServerSocket away = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, Object> settings = settings();
            settings.put("bootstrap.servers", "127.0.0.1:" + away.getLocalPort());
            try (Recovery recovery = recovery(settings, threads, (partition, end) -> true)) {
                recovery.of(topic);
                away.accept().close();
            }
            assertThat(threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        }
    }
}
