package dev.stormproof.task.storm;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.Backoff;
import dev.stormproof.task.notary.NotaryTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The notary of a verifying task, in a thread of its own, so that neither holds up the other.
 *
 * <pre>
 *   opens ──► notes, every notary.interval.ms ──Kafka fails, or another has its id──► waits, longer each time ──► opens
 * </pre>
 *
 * <p>Failures are shown as errors of the task.
 */
final class NotaryThread implements AutoCloseable {
    private static final Backoff BACKOFF = new Backoff(1_000, 60_000);
    private static final long CLOSE_MILLIS = 2_000;

    private final StormproofConfig config;
    private final int index;
    private final CheckpointKey key;
    private final Consumer<Throwable> errors;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;

    private NotaryThread(StormproofConfig config, int index, Consumer<Throwable> errors) {
        this.config = config;
        this.index = index;
        this.key = NotaryTask.key(config);
        this.errors = errors;
        this.thread = new Thread(this::run, "stormproof-notary-" + index);
        thread.setDaemon(true);
    }

    /** Starts it for a task; throws if the key cannot be read on this machine. */
    static NotaryThread start(StormproofConfig config, int index, Consumer<Throwable> errors) {
        NotaryThread started = new NotaryThread(config, index, errors);
        started.thread.start();
        return started;
    }

    private void run() {
        long pauseMillis = 0;
        while (stopping.getCount() > 0) {
            long begunNanos = System.nanoTime();
            try {
                takeNotes();
            } catch (InterruptedException | InterruptException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (KafkaException | IllegalStateException e) {
                errors.accept(e);
                boolean lasted = System.nanoTime() - begunNanos >= TimeUnit.MILLISECONDS.toNanos(BACKOFF.mostMillis());
                pauseMillis = BACKOFF.after(lasted ? 0 : pauseMillis);
                try {
                    boolean unused = stopping.await(pauseMillis, TimeUnit.MILLISECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private void takeNotes() throws InterruptedException {
        try (NotaryTask notary = new NotaryTask(config, index, key)) {
            boolean more = true;
            while ((more && stopping.getCount() > 0)
                    || !stopping.await(config.notary.intervalMillis(), TimeUnit.MILLISECONDS)) {
                more = notary.round();
            }
        }
    }

    /** Ends it; its successor writes the notes on the remaining records. */
    @Override
    public void close() {
        stopping.countDown();
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
