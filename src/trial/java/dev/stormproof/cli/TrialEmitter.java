package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.emit.CheckpointingProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A trial emitter lives several times: each life is a producer, with faults behind its signer, which is closed at the end,
 * or abandoned as a process that dies would leave it. The last life of a transactional one is closed, since an open
 * transaction holds up every reader.
 */
public final class TrialEmitter {
    private final String bootstrapServers;
    private final String topic;
    private final int partitions;
    private final String transactionalId;
    private final long deadlineMillis;
    private final SplittableRandom random;
    private final List<InjectedFault> injected = new ArrayList<>();

    /** @param transactionalId empty for an emitter without transactions */
    public TrialEmitter(
            String bootstrapServers,
            String topic,
            int partitions,
            String transactionalId,
            long deadlineMillis,
            SplittableRandom random) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
        this.partitions = partitions;
        this.transactionalId = transactionalId;
        this.deadlineMillis = deadlineMillis;
        this.random = random;
    }

    /** Lives so often, each time for about so many events of each partition. */
    public void live(int lives, int events) {
        for (int life = 1; life <= lives; life++) {
            boolean crash = random.nextInt(2) == 0 && (life < lives || !isTransactional());
            liveOnce(random.nextInt(events / 2, events + 1), crash);
        }
    }

    /** The faults that the injectors of all lives injected. */
    public List<InjectedFault> injected() {
        return injected;
    }

    private boolean isTransactional() {
        return !transactionalId.isEmpty();
    }

    private void liveOnce(int events, boolean crash) {
        int every = random.nextInt(5, 60);
        FaultPlan plan = plan(events, every);
        List<Producer<byte[], byte[]>> inner = new ArrayList<>();
        List<FaultInjector> injectors = new ArrayList<>();
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                settings(every), new ByteArraySerializer(), new ByteArraySerializer(), properties -> {
                    inner.add(new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
                    injectors.add(new FaultInjector(inner.get(0), plan));
                    return injectors.get(0);
                });
        if (isTransactional()) {
            producer.initTransactions();
            sendInTransactions(producer, events, crash);
        } else {
            send(producer, events);
        }
        if (crash) {
            crash(producer, inner.get(0));
        } else {
            producer.close();
        }
        injected.addAll(injectors.get(0).injected());
    }

    private FaultPlan plan(int events, int every) {
        Map<TopicPartition, Integer> planned = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            planned.put(new TopicPartition(topic, partition), events);
        }
        Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            faults.put(kind, events * partitions / 100);
        }
        return FaultPlan.of(planned, faults, every, random.nextLong());
    }

    private Map<String, Object> settings(int every) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("stormproof.checkpoint.max.events", every);
        settings.put("stormproof.checkpoint.deadline.ms", deadlineMillis);
        if (isTransactional()) {
            settings.put("transactional.id", transactionalId);
        }
        return settings;
    }

    private void send(Producer<byte[], byte[]> producer, int events) {
        for (int event = 0; event < events; event++) {
            sendOneToEach(producer, event);
        }
    }

    /** In transactions of random sizes, of which some are aborted and some of those begun again; a crash leaves one open. */
    private void sendInTransactions(Producer<byte[], byte[]> producer, int events, boolean crash) {
        int sent = 0;
        while (sent < events) {
            int end = Math.min(events, sent + random.nextInt(1, 60));
            boolean abort = random.nextInt(4) == 0;
            producer.beginTransaction();
            for (int event = sent; event < end; event++) {
                sendOneToEach(producer, event);
            }
            if (crash && end == events) {
                return;
            }
            if (abort) {
                producer.abortTransaction();
            } else {
                producer.commitTransaction();
                sent = end;
            }
        }
    }

    private void sendOneToEach(Producer<byte[], byte[]> producer, int event) {
        for (int partition = 0; partition < partitions; partition++) {
            byte[] value = ("event " + event + " " + random.nextLong()).getBytes(UTF_8);
            var unused = producer.send(new ProducerRecord<>(topic, partition, null, value));
        }
    }

    /** What a dying process leaves: what the sockets took. The producer's timer has to be ended, and cannot write any more. */
    private void crash(Producer<byte[], byte[]> producer, Producer<byte[], byte[]> inner) {
        if (random.nextBoolean() && !isTransactional()) {
            inner.flush();
        }
        inner.close(Duration.ZERO);
        try {
            producer.close(Duration.ZERO);
        } catch (KafkaException | IllegalStateException expected) {
            // It cannot write its closing checkpoints.
            return;
        }
    }
}
