package dev.stormproof.task.live.run;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer whose flush times out once every record should have been answered.
 *
 * <p>Kafka's own flush waits forever if the client's thread has died, for instance of a stack overflow: a batch of a record that is too large
 * for its topic and a very small one is split into the same two again and again, and each split chains a future.
 */
public final class TimedFlushProducer extends KafkaProducer<byte[], byte[]> {
    private static final int IDLE_SECONDS = 10;

    private final long answerMillis;
    private final ExecutorService flushes;

    /** @param spareMillis how much longer than {@code delivery.timeout.ms} a flush may take */
    public TimedFlushProducer(Map<String, Object> properties, long spareMillis) {
        super(properties, new ByteArraySerializer(), new ByteArraySerializer());
        this.answerMillis =
                ProducerLimits.parsed(properties).getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) + spareMillis;
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), TimedFlushProducer::thread);
        one.allowCoreThreadTimeOut(true);
        this.flushes = one;
    }

    @Override
    public void flush() {
        try {
            CompletableFuture<Void> flushed = CompletableFuture.runAsync(super::flush, flushes);
            flushed.get(answerMillis, TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("records without an answer after " + answerMillis + " ms", e);
        } catch (RejectedExecutionException e) {
            throw new KafkaException("the producer is closed", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new KafkaException(e.getCause());
        }
    }

    @Override
    public void close() {
        flushes.shutdownNow();
        super.close();
    }

    @Override
    public void close(Duration timeout) {
        flushes.shutdownNow();
        super.close(timeout);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "stormproof-flush");
        thread.setDaemon(true);
        return thread;
    }
}
