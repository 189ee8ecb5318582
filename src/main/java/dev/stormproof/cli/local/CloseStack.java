package dev.stormproof.cli.local;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A stack of everything that a command has opened closes it in reverse order, once: when the command ends, or when the JVM
 * is asked to stop (Ctrl-C, SIGTERM, or Storm ending the JVM because a bolt died).
 *
 * <p>Opening and closing exclude each other, so that what is being opened while the JVM shuts down is closed too.
 */
public final class CloseStack implements AutoCloseable {
    private static final long HOOK_TIMEOUT_MILLIS = 30_000;

    private final Terminal err;
    private final Thread hook = new Thread(this::closeInHook, "stormproof-close");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private boolean closed;
    private boolean failed;

    public CloseStack(Terminal err) {
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Opens something that is to be closed with the rest. */
    public synchronized <T extends AutoCloseable> T open(Callable<T> opener) throws Exception {
        if (closed) {
            throw Failure.own("interrupted");
        }
        T opened = opener.call();
        open.push(opened);
        return opened;
    }

    /** True if something could not be closed: a file may lack what was written to it. */
    public synchronized boolean hasFailed() {
        return failed;
    }

    /** Waits at most that long until the JVM is asked to stop; true if it is. */
    public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
        return ending.await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    public boolean isEnding() {
        return ending.getCount() == 0;
    }

    @Override
    public void close() {
        closeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            ending.countDown(); // The hook runs or is about to: it waits for closeAll(), and the JVM for the hook.
        }
    }

    private synchronized void closeAll() {
        closed = true;
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Throwable e) { // Whatever it is, the others have to be closed too.
                failed = true;
                err.println("stormproof: closing " + next.getClass().getSimpleName() + " failed: " + e);
            }
        }
    }

    private void closeInHook() {
        boolean topologyDied = topologyDied();
        ending.countDown();
        // What a dying bolt left may never close.
        Thread closer = new Thread(this::closeAll, "stormproof-closer");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(HOOK_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (topologyDied) {
            err.println("stormproof: the topology failed; --verbose shows why");
            err.flush();
            // Storm ended the JVM with a code of its own, which would be read as a verdict.
            Runtime.getRuntime().halt(Failure.FAILED);
        }
    }

    private static boolean topologyDied() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals("org.apache.storm.utils.Utils")
                        && frame.getMethodName().equals("exitProcess"));
    }
}
