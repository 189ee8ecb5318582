package dev.stormproof.emit;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The background threads of a producer do what may block, each for one topic.
 *
 * <p>One that is idle ends. There are at most {@value #MAX_THREADS}; work that finds none, or that comes after the end, is
 * rejected.
 */
final class BackgroundThreads {
    private static final int MAX_THREADS = 64;
    private static final long IDLE_SECONDS = 10;

    private BackgroundThreads() {}

    static ExecutorService start() {
        return new ThreadPoolExecutor(
                0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "stormproof-emitter-background");
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
