package dev.stormproof.emit;

import java.util.concurrent.ExecutorService;
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
 * rejected.
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

    /** An interruption is the end that the producer's close gives to work that still waits. */
    private static void failed(Thread thread, Throwable failure) {
        if (failure instanceof InterruptException) {
            LOG.debug("{} ends", thread.getName(), failure);
        } else {
            LOG.error("{} failed", thread.getName(), failure);
        }
    }
}
