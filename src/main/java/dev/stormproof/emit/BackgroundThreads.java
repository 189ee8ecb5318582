package dev.stormproof.emit;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background threads of a producer do what may block, each for one topic.
 *
 * <p>One that is idle ends. There are at most {@value #MAX_THREADS}; work that finds none, or that comes after the end, is
 * rejected. Work that takes minutes, as a recovery does, has {@value #MAX_QUEUED_THREADS} others, and waits for them.
 */
final class BackgroundThreads {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundThreads.class);
    private static final int MAX_THREADS = 64;
    private static final int MAX_QUEUED_THREADS = 8;
    private static final long IDLE_SECONDS = 10;

    private BackgroundThreads() {}

    static ExecutorService start() {
        return new ThreadPoolExecutor(
                0,
                MAX_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> thread(work, "stormproof-emitter-background"));
    }

    /** Those for what takes minutes; work that finds none waits. */
    static ExecutorService startQueued() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MAX_QUEUED_THREADS,
                MAX_QUEUED_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> thread(work, "stormproof-emitter-recovery"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(BackgroundThreads::failed);
        return thread;
    }

    /** An interruption is the end that the producer's close gives to work that still waits. */
    private static void failed(Thread thread, Throwable failure) {
        if (failure instanceof InterruptException) {
            LOG.debug("{} ends", thread.getName(), failure);
        } else {
            LOG.error("{} failed", thread.getName(), failure);
        }
    }
}
