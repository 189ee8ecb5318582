package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.Observation.Sight;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rebuilds the intervals of one partition from its records, and knows how well it saw them.
 *
 * <p>A match of roots proves something only if no record was missed in between. The tracker therefore follows the chain
 * of offsets; {@code last} is the last one it accepted:
 *
 * <pre>
 *   no last                                 accept: first sight of the partition, its streams are UNKNOWN
 *   offset ≤ last, same leader epoch        replay: ignore
 *   offset ≤ last, newer leader epoch       accept; the log was rewritten: taint every open interval
 *   previous ≤ last &lt; offset                accept
 *   last &lt; previous, or a START past last+1  accept; records are missing: taint every open interval
 *   another leader epoch                    accept; an unclean election may have cut the log: taint every open interval
 * </pre>
 *
 * <p>A tainted interval is not faulty: its checkpoint sends it to an audit of the log. The number of streams is bounded;
 * the least recently seen is forgotten first and counts as UNKNOWN when it comes back.
 *
 * <p>Not thread-safe: one owner, one thread.
 */
public final class IntervalTracker {
    /** How many streams of a partition are followed at once. */
    public static final int MAX_STREAMS = 10_000;

    private static final long NONE = -1;

    private final String topic;
    private final int partition;
    private final LinkedHashMap<Long, OpenInterval> openByEmitter = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, OpenInterval> eldest) {
            return size() > MAX_STREAMS;
        }
    };

    private long first = NONE;
    private long last = NONE;
    private boolean missed;
    private int epoch = Link.NO_EPOCH;
    private long epochBegin;

    public IntervalTracker(String topic, int partition) {
        this.topic = topic;
        this.partition = partition;
    }

    /** Takes a record that bears on no stream; false if it is a replay. */
    public boolean pass(Link link) {
        return accept(link);
    }

    /** Takes an event; false if it is a replay. */
    public boolean event(Link link, Event event) {
        if (!accept(link)) {
            return false;
        }
        open(event.emitter()).add(event);
        return true;
    }

    /** Takes a checkpoint; what was seen of the interval that it seals, or nothing if it is a replay or a repetition. */
    public Sealing checkpoint(Link link, CheckpointRecord record) {
        if (!accept(link)) {
            return Sealing.REPLAYED;
        }
        OpenInterval open = open(record.checkpoint().stream().emitter());
        if (open.has(record.checkpoint())) {
            return Sealing.REPEATED;
        }
        return new Sealing(Optional.of(open.seal(record)), false);
    }

    /**
     * What a checkpoint did.
     *
     * @param observation what was seen of its interval; empty if it sealed none
     * @param repeated true if the stream already had a checkpoint of its number
     */
    public record Sealing(Optional<Observation> observation, boolean repeated) {
        static final Sealing REPLAYED = new Sealing(Optional.empty(), false);
        static final Sealing REPEATED = new Sealing(Optional.empty(), true);
    }

    /** The first offset that was accepted; -1 before any. What lies before it was decided earlier. */
    public long firstOffset() {
        return first;
    }

    /** The last offset that was accepted; -1 before any. */
    public long lastOffset() {
        return last;
    }

    /** The first offset of the oldest interval that holds events and no checkpoint yet; -1 if there is none. */
    public long oldestOpenOffset() {
        long oldest = Long.MAX_VALUE;
        for (OpenInterval open : openByEmitter.values()) {
            if (open.firstOffset() != OpenInterval.NONE) {
                oldest = Math.min(oldest, open.firstOffset());
            }
        }
        return oldest == Long.MAX_VALUE ? NONE : oldest;
    }

    private boolean accept(Link link) {
        if (last == NONE) {
            first = link.offset();
        } else if (link.offset() <= last) {
            if (link.offset() < epochBegin || link.leaderEpoch() <= epoch) {
                return false;
            }
            taintAll(Sight.EPOCH_CHANGED);
        } else if (link.start() ? link.offset() != last + 1 : link.previous() > last) {
            taintAll(Sight.HOLE);
        }
        if (last == NONE || link.leaderEpoch() != epoch) {
            if (last != NONE) {
                taintAll(Sight.EPOCH_CHANGED);
            }
            epoch = link.leaderEpoch();
            epochBegin = link.offset();
        }
        last = link.offset();
        return true;
    }

    private void taintAll(Sight why) {
        missed = true;
        openByEmitter.values().forEach(open -> open.taint(why));
    }

    private OpenInterval open(long emitter) {
        OpenInterval known = openByEmitter.get(emitter);
        if (known != null) {
            return known;
        }
        StreamId stream = new StreamId(topic, partition, emitter);
        boolean wholeLog = emitter == StreamId.NO_EMITTER && first == 0 && !missed;
        OpenInterval open = wholeLog ? OpenInterval.atLogBeginning(stream) : new OpenInterval(stream);
        openByEmitter.put(emitter, open);
        return open;
    }
}
