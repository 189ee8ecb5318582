package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.verify.Observation.Sight;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the intervals of one partition from its records, and knows how well it saw them.
 *
 * <p>What the {@linkplain OffsetChain chain of offsets} says becomes of every open interval:
 *
 * <pre>
 *   REPLAYED   nothing: the record is not taken
 *   REWRITTEN  tainted EPOCH_CHANGED; what lay behind the cut is forgotten
 *   JUMPED     tainted HOLE
 *   ELECTED    tainted EPOCH_CHANGED
 *   CONTINUED  goes on
 * </pre>
 *
 * <p>A tainted interval is not faulty: its checkpoint sends it to an audit of the log. The number of streams is bounded;
 * the least recently seen is forgotten first, told as unsealed if it held events, and counts as UNKNOWN when it comes
 * back.
 *
 * <p>Not thread-safe: one owner, one thread.
 */
final class IntervalTracker {
    private static final long NONE = -1;

    private final String topic;
    private final int partition;
    private final int mostStreams;
    private final OffsetChain chain;
    private final LinkedHashMap<Long, OpenInterval> openByEmitter = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<StreamId, GivenUp> givenUp = new LinkedHashMap<>();
    private @Nullable OpenInterval latest;
    private long latestEmitter;
    /**
     * A stream whose next checkpoint nobody waits for any more.
     *
     * @param unsealed what is to be said of it; empty if nothing is missing
     * @param openSince the first of its events that no judged checkpoint seals, and that are forgotten; -1 if none are
     */
    record GivenUp(Optional<Inconclusive> unsealed, long openSince) {}

    /** Before this offset records may lie of which nothing is known any more: beginnings, holes, streams given up. */
    private long unknownBefore;

    /**
     * @param resumeOffset the offset before which everything was decided: the committed progress, or without any the
     *     offset of the first record
     * @param resumeEpoch the leader epoch of the record before that; -1 if unknown
     */
    IntervalTracker(String topic, int partition, long resumeOffset, int resumeEpoch, int mostStreams) {
        this.topic = topic;
        this.partition = partition;
        this.mostStreams = mostStreams;
        this.chain = new OffsetChain(resumeOffset, resumeEpoch);
        this.unknownBefore = resumeOffset;
    }

    /** Takes a record's link; a replayed record must not be taken. */
    OffsetChain.Step accept(Link link) {
        OffsetChain.Step step = chain.accept(link);
        switch (step) {
            case JUMPED -> {
                unknownBefore = chain.jumpedTo();
                openByEmitter.values().forEach(open -> open.taint(Sight.HOLE));
            }
            case ELECTED -> openByEmitter.values().forEach(open -> open.taint(Sight.EPOCH_CHANGED));
            case REWRITTEN -> {
                unknownBefore = link.offset();
                openByEmitter.values().forEach(open -> open.rewrite(chain.jumpedFrom()));
            }
            case REPLAYED, CONTINUED -> {}
        }
        return step;
    }

    /** True if a link shows a newer leader epoch, and nobody but the log can tell where that begins. */
    boolean raisesDoubt(Link link) {
        return chain.raisesDoubt(link);
    }

    /** The newest leader epoch so far; -1 if none is known. */
    int epoch() {
        return chain.epoch();
    }

    /** The log turns out to have been cut before the records from an offset on: checkpoints in between are not there. */
    void rewritten(long cutOffset, long offset) {
        openByEmitter.values().stream()
                .filter(open -> cutOffset <= open.baseOffset() && open.baseOffset() < offset)
                .forEach(open -> open.rewrite(cutOffset, offset));
    }

    /** Takes an event whose link was accepted. */
    void event(Event event) {
        open(event.emitter()).add(event);
    }

    /** Takes a checkpoint whose link was accepted; what was seen of its interval, or nothing if it repeats the last. */
    Optional<Observation> checkpoint(CheckpointRecord record) {
        OpenInterval open = open(record.checkpoint().stream().emitter());
        if (open.repeats(record)) {
            open.hear();
            return Optional.empty();
        }
        boolean quiet = unknownBefore == 0 || record.offset() - unknownBefore >= Evidence.BEFORE_THE_BEGINNING;
        return Optional.of(open.seal(record, quiet));
    }

    /** Takes an event that was found in a hole. */
    void recall(Event event) {
        open(event.emitter()).recall(event);
    }

    /** Takes a checkpoint that was found in a hole, and returns the first offset that may belong to its interval. */
    long recall(CheckpointRecord record) {
        return open(record.checkpoint().stream().emitter()).recall(record);
    }

    /** Where the last checkpoint of a stream was seen; -1 if none was. */
    long lastCheckpointOffset(StreamId stream) {
        OpenInterval open = openByEmitter.get(stream.emitter());
        return open == null ? NONE : open.baseOffset();
    }

    /** True if a stream is followed, false if it was never heard of or was given up. */
    boolean follows(StreamId stream) {
        return openByEmitter.containsKey(stream.emitter());
    }

    /** A checkpoint was judged at first sight, and seals an interval. */
    void judged(StreamId stream, long checkpointOffset) {
        OpenInterval open = openByEmitter.get(stream.emitter());
        if (open != null) {
            open.confirm(checkpointOffset);
        }
    }

    /**
     * A checkpoint was judged by what the log holds: it seals an interval, or, if it is a repetition, nothing.
     *
     * @param read the stream's checkpoints that were read for it
     */
    void judged(StreamId stream, long checkpointOffset, boolean seals, List<CheckpointRecord> read) {
        OpenInterval open = openByEmitter.get(stream.emitter());
        if (open == null) {
            return;
        }
        if (seals) {
            open.confirm(checkpointOffset, read);
        } else {
            open.reject(checkpointOffset);
        }
    }

    /** A checkpoint expired before it was judged. */
    void expired(StreamId stream, long checkpointOffset) {
        OpenInterval open = openByEmitter.get(stream.emitter());
        if (open != null) {
            open.expire(checkpointOffset);
        }
    }

    /**
     * The records [beginOffset, endOffset) expired before they were read: no checkpoint among them will be judged, and nobody
     * knows whether a stream of which nothing is known behind them was closed there.
     */
    void missed(long beginOffset, long endOffset) {
        openByEmitter.values().stream()
                .filter(open -> beginOffset <= open.baseOffset() && open.baseOffset() < endOffset)
                .forEach(open -> open.expire(open.baseOffset()));
        openByEmitter.values().forEach(open -> open.miss(endOffset));
    }

    /** The offset after the last one that was accepted. */
    long nextOffset() {
        return chain.nextOffset();
    }

    /** The leader epoch of the last record before an offset; -1 if unknown. */
    int epochBefore(long offset) {
        return chain.epochBefore(offset);
    }

    /** Gives up waiting for the records before an offset: they are a hole. */
    void skipTo(long offset) {
        chain.skipTo(offset);
        unknownBefore = offset;
        openByEmitter.values().forEach(open -> open.taint(Sight.HOLE));
    }

    /** The first offset that the last jump or rewriting left out. */
    long jumpedFrom() {
        return chain.jumpedFrom();
    }

    /** The offset after the last one of those. */
    long jumpedTo() {
        return chain.jumpedTo();
    }

    /** Notes the time for every stream that was heard of since the last call, and returns those that are overdue. */
    Set<Long> overdue(long nowMillis, Patience patience) {
        Set<Long> overdue = new HashSet<>();
        openByEmitter.forEach((emitter, open) -> {
            open.tick(nowMillis);
            if (open.overdue(nowMillis, patience)) {
                overdue.add(emitter);
            }
        });
        return overdue;
    }

    /** Those of the emitters of which no checkpoint was seen. */
    Set<Long> baseless(Set<Long> emitters) {
        Set<Long> baseless = new HashSet<>(emitters);
        baseless.removeIf(emitter -> {
            OpenInterval open = openByEmitter.get(emitter);
            return open == null || !open.isBaseless();
        });
        return baseless;
    }

    /**
     * An interval of a stream waits for the stream's next checkpoint to be decided for good.
     *
     * @return false if nobody waits for that any more, since the stream was given up
     */
    boolean await(StreamId stream) {
        OpenInterval open = openByEmitter.get(stream.emitter());
        return open != null && open.await();
    }

    /**
     * Gives up on a stream that is still overdue.
     *
     * @param last the stream's last checkpoint in the log, if none of it was seen
     */
    void giveUp(long emitter, long nowMillis, Patience patience, Optional<CheckpointRecord> last) {
        OpenInterval open = openByEmitter.get(emitter);
        if (open != null && open.overdue(nowMillis, patience, last)) {
            long openSince = open.openSince();
            Optional<Inconclusive> unsealed = open.giveUpSilent(last);
            givenUp.put(open.stream(), new GivenUp(unsealed, unsealed.isPresent() ? openSince : NONE));
        }
    }

    /** Returns the streams that were given up since the last call. */
    Map<StreamId, GivenUp> drainGivenUp() {
        if (givenUp.isEmpty()) {
            return Map.of();
        }
        Map<StreamId, GivenUp> drained = new LinkedHashMap<>(givenUp);
        givenUp.clear();
        return drained;
    }

    /** The first offset of the oldest interval that holds events and no checkpoint that was judged; -1 if none is. */
    long oldestOpenOffset() {
        long oldest = Long.MAX_VALUE;
        for (OpenInterval open : openByEmitter.values()) {
            if (open.openSince() != OpenInterval.NONE) {
                oldest = Math.min(oldest, open.openSince());
            }
        }
        return oldest == Long.MAX_VALUE ? NONE : oldest;
    }

    /** How many intervals hold events before an offset and no checkpoint that was judged. */
    int openBefore(long offset) {
        return (int) openByEmitter.values().stream()
                .filter(open -> open.openSince() != OpenInterval.NONE && open.openSince() < offset)
                .count();
    }

    /** Where the last checkpoints lie, before an offset, of the streams that owe another. */
    Set<Long> promisesBefore(long offset) {
        Set<Long> promises = new TreeSet<>();
        for (OpenInterval open : openByEmitter.values()) {
            if (open.promisedAt() != OpenInterval.NONE && open.promisedAt() < offset) {
                promises.add(open.promisedAt());
            }
        }
        return promises;
    }

    int streams() {
        return openByEmitter.size();
    }

    private OpenInterval open(long emitter) {
        OpenInterval same = latest;
        if (same != null && latestEmitter == emitter) {
            return same;
        }
        OpenInterval open = openByEmitter.get(emitter);
        if (open == null) {
            StreamId stream = new StreamId(topic, partition, emitter);
            boolean wholeLog = emitter == StreamId.NO_EMITTER && unknownBefore == 0;
            open = wholeLog ? OpenInterval.atLogBeginning(stream) : new OpenInterval(stream);
            openByEmitter.put(emitter, open);
            forgetEldest();
        }
        latest = open;
        latestEmitter = emitter;
        return open;
    }

    private void forgetEldest() {
        if (openByEmitter.size() <= mostStreams) {
            return;
        }
        Iterator<OpenInterval> streams = openByEmitter.values().iterator();
        OpenInterval eldest = streams.next();
        streams.remove();
        unknownBefore = chain.nextOffset();
        long openSince = eldest.openSince();
        Optional<Inconclusive> unsealed = eldest.hasEvents()
                ? eldest.giveUp("more than " + mostStreams + " streams at once", Optional.empty())
                : Optional.empty();
        givenUp.put(eldest.stream(), new GivenUp(unsealed, openSince));
    }
}
