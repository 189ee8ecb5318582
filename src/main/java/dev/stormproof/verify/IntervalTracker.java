package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.Observation.Sight;
import dev.stormproof.verify.Verdict.Inconclusive;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rebuilds the intervals of one partition from its records, and knows how well it saw them.
 *
 * <p>A match of roots proves something only if no record was missed in between. The tracker therefore follows the chain
 * of offsets; {@code last} is the last one it accepted:
 *
 * <pre>
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

    private final long resumeOffset;
    private long last;
    private boolean started;
    private boolean missed;
    private int epoch = Link.NO_EPOCH;
    private long epochBegin;
    private Optional<AuditTask.OfHole> hole = Optional.empty();

    /**
     * @param resumeOffset the offset before which everything was decided: the committed progress, or without any the
     *     offset of the first record
     */
    public IntervalTracker(String topic, int partition, long resumeOffset) {
        this.topic = topic;
        this.partition = partition;
        this.resumeOffset = resumeOffset;
        this.last = resumeOffset - 1;
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

    /** The offset after the last one that was accepted. */
    public long nextOffset() {
        return last + 1;
    }

    /** The offsets that the last record jumped over; they never arrived. Empty if it jumped over none. */
    public Optional<AuditTask.OfHole> hole() {
        return hole;
    }

    /** Notes the time for every stream that was heard of since the last call, and returns those that are overdue. */
    public Set<Long> overdue(long nowMillis, Patience patience) {
        Set<Long> overdue = new HashSet<>();
        openByEmitter.forEach((emitter, open) -> {
            open.tick(nowMillis);
            if (open.overdue(nowMillis, patience)) {
                overdue.add(emitter);
            }
        });
        return overdue;
    }

    /** Gives up on a stream that is still overdue; empty if it is not. */
    public Optional<Inconclusive> giveUp(long emitter, long nowMillis, Patience patience) {
        return Optional.ofNullable(openByEmitter.get(emitter))
                .filter(open -> open.overdue(nowMillis, patience))
                .map(open -> open.giveUp(nowMillis));
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
        hole = Optional.empty();
        if (link.offset() <= last) {
            boolean rewritten = started && link.offset() >= epochBegin && link.leaderEpoch() > epoch;
            if (!rewritten) {
                return false;
            }
        } else if (link.start() ? link.offset() != last + 1 : link.previous() > last) {
            long end = link.start() ? link.offset() : link.previous() + 1;
            hole = Optional.of(new AuditTask.OfHole(last + 1, end));
            taintAll(Sight.HOLE);
        }
        if (link.leaderEpoch() != epoch) {
            if (started) {
                taintAll(Sight.EPOCH_CHANGED);
            }
            epoch = link.leaderEpoch();
            epochBegin = link.offset();
        }
        started = true;
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
        boolean wholeLog = emitter == StreamId.NO_EMITTER && resumeOffset == 0 && !missed;
        OpenInterval open = wholeLog ? OpenInterval.atLogBeginning(stream) : new OpenInterval(stream);
        openByEmitter.put(emitter, open);
        return open;
    }
}
