package dev.stormproof.alert.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a server, each of which serves one client at a time, within a time limit.
 *
 * <pre>
 *   request ──► a thread reads its head, and answers ──► free for another
 *                 │         │
 *                 │         └─ follow ─► one of {@value #MOST_FOLLOWERS} more, until its client goes
 *                 └─ time is over, {@value #MOST_REQUESTS} have come since, or its bytes are too many ─► interrupted
 * </pre>
 *
 * <p>An interrupt ends the waiting for a client and closes its connection. The JDK's server has properties for this, but they are those of the
 * whole JVM, and its limit for answers would end server-sent events.
 */
final class ServingThreads implements Executor, AutoCloseable {
    /** The most requests that are served at once; one more ends the oldest, because an honest one takes milliseconds. */
    static final int MOST_REQUESTS = 128;

    static final int MOST_FOLLOWERS = 32;

    /** The most memory for answers that clients have not read yet. */
    static final long MOST_WAITING_BYTES = 64L << 20;

    /** The most interrupted threads that have not ended. */
    private static final int ENDING = MOST_REQUESTS;

    private static final long IDLE_SECONDS = 10;
    private static final long TICK_MILLIS = 100;
    private static final long CLOSE_MILLIS = 1_000;

    private final Timeouts timeouts;
    private final ThreadPoolExecutor pool;
    private final Thread clock;
    private final Map<Thread, Service> services = new LinkedHashMap<>();

    /** The work of a thread for a client. */
    private static final class Service {
        private final Thread thread = Thread.currentThread();
        private boolean hasDeadline;
        private long deadlineNanos;
        private long waitingBytes;
        private boolean follows;
        private boolean ends;

        void within(long millis) {
            hasDeadline = true;
            deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        boolean isLate() {
            return hasDeadline && System.nanoTime() - deadlineNanos > 0;
        }

        void end() {
            ends = true;
            waitingBytes = 0;
            thread.interrupt();
        }
    }

    ServingThreads(String name, Timeouts timeouts) {
        this.timeouts = timeouts;
        this.pool = new ThreadPoolExecutor(
                0,
                MOST_REQUESTS + MOST_FOLLOWERS + ENDING,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> daemon(work, name));
        this.clock = daemon(this::watch, name + "-clock");
        clock.start();
    }

    static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Serves a client in a thread; throws if none is free, and then its connection is closed. */
    @Override
    public void execute(Runnable request) {
        pool.execute(() -> {
            begin();
            try {
                request.run();
            } finally {
                end();
            }
        });
    }

    /** This thread has read its client's head, and the answer has so many bytes. */
    synchronized void answers(long bytes) {
        Service mine = mine();
        mine.within(timeouts.answerMillis());
        mine.waitingBytes = bytes;
        long waiting = services.values().stream()
                .mapToLong(service -> service.waitingBytes)
                .sum();
        for (Service oldest : List.copyOf(services.values())) {
            if (waiting > MOST_WAITING_BYTES && oldest != mine && oldest.waitingBytes > 0) {
                waiting -= oldest.waitingBytes;
                oldest.end();
            }
        }
    }

    /** This thread's client has read everything, and may now wait for more. */
    synchronized void waits() {
        Service mine = mine();
        mine.hasDeadline = false;
        mine.waitingBytes = 0;
    }

    /** True if this thread's client may follow from now on. */
    synchronized boolean follow() {
        mine().follows =
                services.values().stream().filter(service -> service.follows).count() < MOST_FOLLOWERS;
        return mine().follows;
    }

    /** Interrupts all threads, and waits for their ends. */
    @Override
    public void close() {
        pool.shutdownNow();
        clock.interrupt();
        try {
            boolean unused = pool.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            clock.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Service mine() {
        return Objects.requireNonNull(services.get(Thread.currentThread()));
    }

    private synchronized void begin() {
        List<Service> requests = services.values().stream()
                .filter(service -> !service.follows && !service.ends)
                .toList();
        if (requests.size() >= MOST_REQUESTS) {
            requests.get(0).end();
        }
        Service mine = new Service();
        mine.within(timeouts.headMillis());
        services.put(mine.thread, mine);
        notifyAll();
    }

    private synchronized void end() {
        services.remove(Thread.currentThread());
        boolean unused = Thread.interrupted(); // The interrupt was for this client.
    }

    private synchronized void watch() {
        try {
            while (!pool.isShutdown()) {
                if (services.isEmpty()) {
                    wait();
                } else {
                    services.values().stream().filter(Service::isLate).forEach(Service::end);
                    wait(TICK_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // It is closed.
        }
    }
}
