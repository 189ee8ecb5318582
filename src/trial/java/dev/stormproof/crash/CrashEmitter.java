package dev.stormproof.crash;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A process that emits under load until it is killed, or its standard input ends; then it closes.
 *
 * <p>On "l" it loses one event behind the signer, sends more, and says "lost" and which one; on "q" it closes, and says "closed". A producer
 * that Kafka refuses for good is closed, as its rules demand; another one of the name goes on, and says "again".
 */
final class CrashEmitter {
    static final int PARTITIONS = 3;
    static final long PROMISE_MILLIS = 1_000;
    static final long DELIVERY_MILLIS = 2_000;

    /** How many events follow a lost one, so that it lies in the middle of what is open. */
    private static final int MORE = 20;

    private static final int EVENTS_OF_A_TRANSACTION = 50;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String topic;
    private final boolean transactional;
    private final Map<String, Object> settings;
    private CheckpointingProducer<String, String> producer;
    private final AtomicBoolean losing = new AtomicBoolean();
    /** The event that was lost last. */
    private volatile String loss = "";

    private long events;

    private CrashEmitter(String servers, String topic, String name, boolean transactional) {
        this.topic = topic;
        this.transactional = transactional;
        this.settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                servers,
                EmitterConfig.EMITTER_NAME,
                name,
                EmitterConfig.RECOVER,
                true,
                EmitterConfig.MAX_EVENTS,
                400,
                EmitterConfig.MAX_INTERVAL_MS,
                400L,
                EmitterConfig.PROMISE_MS,
                PROMISE_MILLIS,
                "delivery.timeout.ms",
                (int) DELIVERY_MILLIS,
                "request.timeout.ms",
                1_500,
                "linger.ms",
                5));
        if (transactional) {
            settings.put("transactional.id", name);
            settings.put("transaction.timeout.ms", 10_000);
            settings.put("delivery.timeout.ms", 9_000);
        }
        this.producer = open();
    }

    private CheckpointingProducer<String, String> open() {
        CheckpointingProducer<String, String> opened =
                new CheckpointingProducer<>(settings, new StringSerializer(), new StringSerializer(), this::lossy);
        if (transactional) {
            opened.initTransactions();
        }
        return opened;
    }

    /** SERVERS TOPIC NAME TRANSACTIONAL */
    public static void main(String[] args) throws Exception {
        new CrashEmitter(args[0], args[1], args[2], Boolean.parseBoolean(args[3])).run();
    }

    private void run() throws IOException, InterruptedException {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            sendSome(1);
        }
        producer.flush();
        System.out.println("begun");
        while (true) {
            while (System.in.available() == 0) {
                sendSome(1);
            }
            int command = System.in.read();
            if (command == 'l') {
                do {
                    losing.set(true);
                } while (!sendSome(MORE)); // With what is aborted, the loss is undone.
                System.out.println("lost " + loss);
            } else if (command == 'q') {
                producer.close();
                System.out.println("closed");
                return;
            }
        }
    }

    /** True if they were sent, and committed if there are transactions. */
    private boolean sendSome(int most) throws InterruptedException {
        try {
            if (transactional) {
                producer.beginTransaction(); // At once behind the last one's end, as some applications do.
            }
            Thread.sleep(1); // The load is paced, not waited for.
            int count = transactional ? Math.max(most, EVENTS_OF_A_TRANSACTION) : most;
            for (int i = 0; i < count; i++) {
                int partition = most > 1 ? 0 : (int) (events % PARTITIONS);
                Future<RecordMetadata> unused =
                        producer.send(new ProducerRecord<>(topic, partition, "key " + events, "event " + events));
                events++;
            }
            if (transactional) {
                producer.commitTransaction();
            } else if (most > 1) {
                producer.flush();
            }
            return true;
        } catch (KafkaException e) {
            if (transactional) {
                abort();
            }
            return false;
        }
    }

    /** Aborts; where Kafka refuses that, too, nothing is left to the producer but its end. */
    private void abort() {
        try {
            producer.abortTransaction();
        } catch (KafkaException | IllegalStateException e) {
            producer.close(CLOSE_TIMEOUT);
            producer = open();
            System.out.println("again");
        }
    }

    private KafkaProducer<byte[], byte[]> lossy(Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
                boolean event = record.value() != null && record.partition() == 0;
                return event && losing.compareAndSet(true, false)
                        ? lost(record, callback)
                        : super.send(record, callback);
            }
        };
    }

    private Future<RecordMetadata> lost(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        loss = event(record);
        RecordMetadata nowhere = new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0);
        if (callback != null) {
            callback.onCompletion(nowhere, null);
        }
        return CompletableFuture.completedFuture(nowhere);
    }

    private static String event(ProducerRecord<byte[], byte[]> record) {
        try {
            EventHeader header = EventHeader.decode(
                    record.headers().lastHeader(EventHeader.NAME).value());
            return event(HexFormat.of().toHexDigits(header.emitter()), record.partition(), header.sequence());
        } catch (MalformedCheckpointException e) {
            throw new IllegalStateException("the signer wrote no event header", e);
        }
    }

    /** The name of an event, by which what was lost and what an audit calls lost are compared. */
    static String event(String emitterHex, int partition, long sequence) {
        return emitterHex + "/" + partition + "/" + sequence;
    }
}
