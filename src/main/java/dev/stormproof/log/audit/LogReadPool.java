package dev.stormproof.log.audit;

import dev.stormproof.log.audit.LogReadJob.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads in which the logs are read for audits, while their owner goes on with other partitions.
 *
 * <pre>
 *   owner ──submit──► waiting (bounded) ──► threads, each with a reader of its own ──► outcomes ──poll──► owner
 * </pre>
 *
 * <p>A job counts until its outcome was polled, so that outcomes are bounded as well. The owner is one thread, and the
 * only one to call this.
 */
public final class LogReadPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogReadPool.class);
    private static final long CLOSE_TIMEOUT_MILLIS = 10_000;

    private final int capacity;
    private final BlockingQueue<LogReadJob> waiting;
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param size how many threads there are, and so how many jobs run at once
     * @param capacity how many jobs there are at once: those that run, that wait, and whose outcomes were not polled
     */
    public LogReadPool(String name, int size, int capacity, Supplier<LogReader> readers) {
        this.capacity = capacity;
        this.waiting = new ArrayBlockingQueue<>(capacity);
        for (int i = 0; i < size; i++) {
            Thread thread = new Thread(new Worker(readers), name + "-audit-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    public boolean hasRoom() {
        return pending.get() < capacity;
    }

    /** Queues a job; throws {@link IllegalStateException} if there is no room. */
    public void submit(LogReadJob job) {
        if (!hasRoom()) {
            throw new IllegalStateException("no room for a job of " + job.partition());
        }
        pending.incrementAndGet();
        waiting.add(job);
    }

    public Optional<Outcome> poll() {
        Outcome outcome = outcomes.poll();
        if (outcome != null) {
            pending.decrementAndGet();
        }
        return Optional.ofNullable(outcome);
    }

    /** How many jobs have an outcome that was not polled yet. Any thread may ask. */
    public int pending() {
        return pending.get();
    }

    /** Ends the threads and waits for them; the jobs that they were reading are given up. */
    @Override
    public void close() {
        waiting.clear();
        threads.forEach(Thread::interrupt);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_TIMEOUT_MILLIS);
        try {
            for (Thread thread : threads) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                thread.join(Math.max(1, leftMillis));
                if (thread.isAlive()) {
                    LOG.warn("{} has not ended yet", thread.getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Worker implements Runnable {
        private final Supplier<LogReader> readers;
        private @Nullable LogReader reader;

        Worker(Supplier<LogReader> readers) {
            this.readers = readers;
        }

        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    outcomes.add(outcomeOf(waiting.take()));
                }
            } catch (InterruptedException | InterruptException e) {
                LOG.debug("{} ends", Thread.currentThread().getName());
            } finally {
                close();
            }
        }

        /** Reports every failure to the owner: if a thread just ended, its audits would wait forever. */
        private Outcome outcomeOf(LogReadJob job) {
            try {
                LogReader open = reader;
                if (open == null) {
                    open = readers.get();
                    reader = open;
                }
                return job.run(open);
            } catch (InterruptException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                return new Outcome(job, List.of(), job.tasks(), false, Optional.of(e));
            }
        }

        private void close() {
            Thread.interrupted();
            if (reader != null) {
                reader.close();
            }
        }
    }
}
