package dev.stormproof.task.live.open;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened so far. If the beginning fails, all of it is closed, the last first. For one thread. */
final class Opened {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
        opened.push(one);
        return one;
    }

    /** Closes all after a failure, which suppresses the failures to close. */
    void closeAfter(Throwable failure) {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) { // The others are closed all the same.
                failure.addSuppressed(e);
            }
        }
    }
}
