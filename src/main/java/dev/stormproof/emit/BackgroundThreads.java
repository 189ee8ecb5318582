package dev.stormproof.emit;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background threads of a producer, for work that may block; each serves one topic.
 *
 * <p>An idle thread ends. There are at most {@value #MAX_THREADS}; work is rejected if all are busy, or after the end.
 */
final class BackgroundThreads {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundThreads.class);
    private static final int MAX_THREADS = 64;
    private static final long IDLE_SECONDS = 10;

    private BackgroundThreads() {}

    static ExecutorService start() {
        return new ThreadPoolExecutor(
                0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), BackgroundThreads::thread);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "stormproof-emitter-background");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(BackgroundThreads::failed);
        return thread;
    }

    /** The producer's close interrupts waiting work; that is no failure. */
    private static void failed(Thread thread, Throwable failure) {
        if (failure instanceof InterruptException) {
            LOG.debug("{} ends", thread.getName(), failure);
        } else {
            LOG.error("{} failed", thread.getName(), failure);
        }
    }
}
