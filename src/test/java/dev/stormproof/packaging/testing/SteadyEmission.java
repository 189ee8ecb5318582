package dev.stormproof.packaging.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A steady emission sends an event to each partition every {@value #PERIOD_MILLIS} ms until it is finished. */
public final class SteadyEmission implements AutoCloseable {
    private static final long PERIOD_MILLIS = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final CheckpointingProducer<byte[], byte[]> producer;
    private final ScheduledFuture<?> sending;
    private final String topic;
    private final int partitions;
    private long sent;

    /** @param every how many events an interval has */
    public SteadyEmission(String bootstrapServers, String topic, int partitions, int every) {
        this.topic = topic;
        this.partitions = partitions;
        this.producer = new CheckpointingProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        EmitterConfig.MAX_EVENTS,
                        every,
                        EmitterConfig.MAX_INTERVAL_MS,
                        60_000L),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.sending = thread.scheduleAtFixedRate(this::send, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Stops, seals everything, and returns how many checkpoints there are. */
    public long finish() throws ExecutionException, InterruptedException {
        sending.cancel(false);
        thread.shutdown();
        thread.awaitTermination(60, TimeUnit.SECONDS);
        try {
            sending.get();
        } catch (CancellationException e) {
            // As it should be: anything else is why it could not send.
        }
        producer.close();
        return producer.stats().values().stream()
                .mapToLong(EmitterStats::checkpointsSent)
                .sum();
    }

    /** How many events were sent; to be asked when it is finished. */
    public long events() {
        return sent * partitions;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        producer.close();
    }

    private void send() {
        for (int partition = 0; partition < partitions; partition++) {
            var unused = producer.send(new ProducerRecord<>(topic, partition, null, ("event " + sent).getBytes(UTF_8)));
        }
        sent++;
    }
}
