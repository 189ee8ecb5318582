package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.output.OutputLog;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The output of a run: what is appended stays with its bolt until the bolt commits it. A record says by its value from which record
 * of the log it was made: its offset and leader epoch.
 */
final class OutputTopic implements OutputLog {
    /** The offset of the first record that the transform cannot stand; each next one lies three times as far up. */
    private static final int POISONED = 41;

    private static final long NEVER_MILLIS = 3_600_000;

    /** One of each kind for each thread of the simulation, since each has a watchdog. */
    private static final ThreadLocal<TransformRunner> FRAGILE =
            ThreadLocal.withInitial(() -> new TransformRunner(OutputTopic::refusingPoison, 0, NEVER_MILLIS));

    private static final ThreadLocal<TransformRunner> ROBUST =
            ThreadLocal.withInitial(() -> new TransformRunner(event -> Transformed.of(event.value()), 0, NEVER_MILLIS));

    private final List<Made> appended = new ArrayList<>();

    private final int mostRecords;

    /** @param mostRecords how many records it takes before they are drained */
    OutputTopic(int mostRecords) {
        this.mostRecords = mostRecords;
    }

    /**
     * The place of the record in the log that another was made of.
     *
     * @param marked true if that says itself that it is no verified event
     */
    record Made(long offset, int leaderEpoch, boolean marked) {
        Made(long offset, int leaderEpoch) {
            this(offset, leaderEpoch, false);
        }

        private Made place() {
            return new Made(offset, leaderEpoch);
        }
    }

    /** The transform of a run; a fragile one has the output halt. */
    static TransformRunner transform(boolean fragile) {
        return (fragile ? FRAGILE : ROBUST).get();
    }

    static RecordContent contentOf(HistoricLog.Entry entry) {
        byte[] place = ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(entry.offset())
                .putInt(entry.leaderEpoch)
                .array();
        return new RecordContent(place, place, HeaderBytes.NONE, entry.timeMillis, false);
    }

    private static Transformed refusingPoison(InputEvent event) {
        if (isPoisoned(event.offset())) {
            throw new IllegalArgumentException("poisoned");
        }
        return Transformed.of(event.value());
    }

    private static boolean isPoisoned(long offset) {
        long poisoned = POISONED;
        while (poisoned < offset) {
            poisoned *= 3;
        }
        return offset == poisoned;
    }

    @Override
    public boolean isDue() {
        return false;
    }

    @Override
    public boolean isFull() {
        return appended.size() >= mostRecords;
    }

    @Override
    public @Nullable String unavailable() {
        return null;
    }

    @Override
    public @Nullable String refusal(RecordContent record) {
        return null;
    }

    /** By its key, since a marker has no value. */
    @Override
    public void append(long inputOffset, RecordContent record) {
        ByteBuffer place = ByteBuffer.wrap(record.key());
        boolean marked = record.headers().last(TransformedHeader.UNVERIFIED) != null;
        appended.add(new Made(place.getLong(), place.getInt(), marked));
    }

    @Override
    public void logFailure(long offset, TransformFailure failure) {}

    /** Takes what was appended since the last call. */
    List<Made> drain() {
        List<Made> drained = List.copyOf(appended);
        appended.clear();
        return drained;
    }

    /**
     * Holds what was committed to the log: nothing twice; in its order, except that what was written in the place of truncated
     * records comes behind these; and all of what the log still holds since the first.
     *
     * @param mayLack true of records that may be missing
     */
    static void check(List<Made> committed, HistoricLog log, Predicate<HistoricLog.Entry> mayLack) {
        Set<Made> once = new HashSet<>();
        Made before = null;
        for (Made made : committed) {
            // What an earlier log had may have been written then, and comes again behind what lay there meanwhile.
            if (!once.add(made.place()) && !log.cameBack()) {
                throw new AssertionError(made + " is twice in the output");
            }
            if (before != null
                    && !log.cameBack()
                    && made.offset() <= before.offset()
                    && made.leaderEpoch() <= before.leaderEpoch()) {
                throw new AssertionError(made + " is behind " + before + " in the output");
            }
            before = made;
        }
        if (committed.isEmpty()) {
            return;
        }
        long since = committed.stream().mapToLong(Made::offset).min().orElseThrow();
        for (HistoricLog.Entry entry : log.visible(Math.max(since, log.beginOffset()), Long.MAX_VALUE)) {
            Made wanted = new Made(entry.offset(), entry.leaderEpoch);
            if (!once.contains(wanted) && !mayLack.test(entry)) {
                throw new AssertionError(wanted + " is not in the output");
            }
        }
    }
}
