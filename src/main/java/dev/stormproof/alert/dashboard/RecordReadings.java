package dev.stormproof.alert.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.http.Answer;
import dev.stormproof.verify.judge.PartitionId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads records for browsers, one request at a time, in a thread of its own.
 *
 * <pre>
 *   follower's thread ── begin ──► queue ──► a thread ──► RecordSource
 *                     ◄── next ─── what was read so far ◄────┘
 * </pre>
 */
final class RecordReadings implements AutoCloseable {
    static final int MOST_WAITING = 8;

    private final RecordSource door;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(MOST_WAITING), RecordReadings::newThread);

    RecordReadings(RecordSource door) {
        this.door = door;
    }

    private static Thread newThread(Runnable readings) {
        Thread thread = new Thread(readings, "stormproof-dashboard-records");
        thread.setDaemon(true);
        return thread;
    }

    /** Reads places, with an event for each; the last event says that it is over. */
    Answer.Updates begin(PartitionId partition, List<Long> offsets) {
        Reading reading = new Reading(partition, offsets);
        try {
            thread.execute(reading);
        } catch (RejectedExecutionException e) {
            offsets.forEach(offset ->
                    reading.take(ReadRecord.unread(offset, "not read: others are being read; open it again later")));
            reading.end();
        }
        return reading;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private final class Reading implements Runnable, Answer.Updates {
        private final PartitionId partition;
        private final List<Long> offsets;
        private final Queue<ObjectNode> events = new ConcurrentLinkedQueue<>();
        private volatile boolean left;
        private int read;

        Reading(PartitionId partition, List<Long> offsets) {
            this.partition = partition;
            this.offsets = offsets;
        }

        @Override
        public void run() {
            // Reads nothing for a page that was closed while it waited.
            if (!left) {
                try {
                    door.read(partition, offsets, this::take);
                } catch (RuntimeException e) {
                    offsets.stream().skip(read).forEach(offset -> take(ReadRecord.unread(offset, "not read: " + e)));
                }
                end();
            }
        }

        void take(ReadRecord record) {
            events.add(record.toJson());
            read++;
        }

        void end() {
            events.add(JsonNodeFactory.instance.objectNode().put("over", true));
        }

        @Override
        public @Nullable String next(long nowMillis) {
            ObjectNode next = events.poll();
            return next == null ? null : next.toString();
        }

        @Override
        public void close() {
            left = true;
        }
    }
}
