package dev.stormproof.sim;

import dev.stormproof.verify.feed.DeliveryLink;
import java.util.ArrayList;
import java.util.List;

/** Reads the log from the committed progress, and says of each record where it lies. */
final class Spout {
    private static final long NOTHING_READ = -1;

    private final HistoricLog log;
    private final Committed committed;
    private final List<Tuple> emitted = new ArrayList<>();
    private long position;
    private long highWater = NOTHING_READ;

    /** A record on its way to its task. */
    record Tuple(DeliveryLink link, HistoricLog.Entry entry) {}

    Spout(HistoricLog log, Committed committed) {
        this.log = log;
        this.committed = committed;
        // With the committed leader epoch, Kafka's consumer finds out that the log was cut below the progress.
        jump(committed.progressEpoch() < 0 ? Long.MAX_VALUE : log.endOffsetOfEpoch(committed.progressEpoch()));
    }

    /** Reads one record, or finds that it has to jump; false if there is nothing to read. */
    boolean poll(List<Tuple> out) {
        if (position < log.beginOffset()) {
            jump(log.beginOffset());
        }
        HistoricLog.Entry entry = log.next(position);
        if (entry == null) {
            return false;
        }
        DeliveryLink link = new DeliveryLink(
                entry.offset(), highWater == NOTHING_READ ? entry.offset() - 1 : highWater, entry.leaderEpoch);
        highWater = entry.offset();
        position = entry.offset() + 1;
        Tuple tuple = new Tuple(link, entry);
        emitted.add(tuple);
        out.add(tuple);
        return true;
    }

    /** Emits again what it emitted before: the last {@code count} tuples. */
    List<Tuple> replay(int count) {
        return List.copyOf(emitted.subList(Math.max(0, emitted.size() - count), emitted.size()));
    }

    /** The log was cut at an offset: Kafka's consumer finds out if it had read further. */
    void logWasCut(long offset) {
        if (position > offset) {
            jump(offset);
        }
    }

    private void jump(long limit) {
        long progress = Math.max(0, committed.progress());
        position = Math.max(log.beginOffset(), Math.min(progress, limit));
        highWater = NOTHING_READ;
        emitted.clear();
    }
}
