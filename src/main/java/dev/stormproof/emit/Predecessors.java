package dev.stormproof.emit;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Format2Checkpoint.Ending;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.merkle.Hash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of other emitters of one name in one partition, as far as it was read.
 *
 * <pre>
 *   FOLLOWED ── its emitter closed it ──────────────────────────────────▶ ENDED
 *            ── nothing of it came for so long as it may take ──────────▶ silent: its end is to be stated
 *            ── its end was stated, and nothing came behind that ───────▶ ENDED
 *   ENDED    ── an event beyond that, or a checkpoint of its own ───────▶ FOLLOWED
 * </pre>
 *
 * <p>Time is that at which records were read, by a clock that nobody sets: no two machines' clocks are compared. For one thread.
 */
final class Predecessors {
    /** How many streams are followed; beyond that the one that was heard of first makes room. */
    static final int MOST_STREAMS = 1_000;

    /** How many events behind last checkpoints are kept; beyond that no end is stated of the stream that has most. */
    static final int MOST_EVENTS = 1_000_000;

    /** How many missing sequences an end may have: a header that claims a farther place was damaged. */
    static final long MOST_MISSING = 1_000_000;

    /** How much of a promise is watched for: what anybody may write there keeps a thread. */
    static final long MOST_PROMISE_MILLIS = 86_400_000;

    private final String topic;
    private final int partition;
    private final String name;
    private final LongPredicate isOwn;
    private final Map<Long, Stream> streams = new LinkedHashMap<>();
    /** Where the log ended when these streams were seen to be silent; -1 while none is. */
    private long end = -1;

    private List<Long> silentAtEnd = List.of();
    /** How many events of all streams are kept. */
    private int events;

    private long forgotten;

    /** A stream behind its last checkpoint. */
    private static final class Stream {
        private Format2Checkpoint last;
        private Hash chainHash;
        private long lastOffset;
        private final TreeMap<Long, Hash> tail = new TreeMap<>();
        private long heardNanos;
        private boolean givenUp;
        /** Up to where its end was stated; -1 if it was not. */
        private long recoveredTo = -1;
        /** When its end was sent, which may not have been read yet; null if it was not. */
        private @Nullable Long statedNanos;

        Stream(Format2Checkpoint last, Hash chainHash, long lastOffset, long heardNanos) {
            this.last = last;
            this.chainHash = chainHash;
            this.lastOffset = lastOffset;
            this.heardNanos = heardNanos;
        }

        long end() {
            return tail.isEmpty() ? last.nextSequence() : Math.max(last.nextSequence(), tail.lastKey() + 1);
        }

        boolean isEnded() {
            return last.closing() || givenUp || recoveredTo >= end();
        }
    }

    /**
     * @param name what their checkpoints call their emitters
     * @param isOwn true of the emitters that are this producer's
     */
    Predecessors(String topic, int partition, String name, LongPredicate isOwn) {
        this.topic = topic;
        this.partition = partition;
        this.name = name;
        this.isOwn = isOwn;
    }

    /** Takes the next record, by the values of its two headers; others are of no account. */
    void take(long offset, byte @Nullable [] event, byte @Nullable [] checkpoint, long nowNanos) {
        try {
            if (checkpoint != null) {
                take(offset, checkpoint, nowNanos);
            } else if (event != null) {
                take(EventHeader.decode(event), nowNanos);
            }
        } catch (MalformedCheckpointException e) {
            // Verifiers tell of it.
        }
    }

    private void take(long offset, byte[] bytes, long nowNanos) throws MalformedCheckpointException {
        Format2Checkpoint checkpoint = CheckpointCodec.decode(bytes);
        long emitter = checkpoint.stream().emitter();
        if (isOwn.test(emitter)
                || !checkpoint.emitterName().equals(name)
                || !checkpoint.stream().topic().equals(topic)
                || checkpoint.stream().partition() != partition) {
            return;
        }
        Stream known = streams.get(emitter);
        if (checkpoint.recovered()) {
            if (known != null && checkpoint.previousHash().equals(known.chainHash)) {
                known.recoveredTo = Math.max(known.recoveredTo, checkpoint.nextSequence());
            }
            return;
        }
        Hash chainHash = CheckpointCodec.chainHash(checkpoint.treeHash(), bytes);
        if (known == null) {
            streams.put(emitter, new Stream(checkpoint.inShort(), chainHash, offset, nowNanos));
            if (streams.size() > MOST_STREAMS) {
                forgetFirst();
            }
            return;
        }
        known.heardNanos = nowNanos;
        if (checkpoint.number() > known.last.number()) {
            known.last = checkpoint.inShort();
            known.chainHash = chainHash;
            known.lastOffset = offset;
            SortedMap<Long, Hash> stated = known.tail.headMap(checkpoint.nextSequence());
            events -= stated.size();
            stated.clear();
            known.recoveredTo = -1;
        }
    }

    private void take(EventHeader event, long nowNanos) {
        Stream known = streams.get(event.emitter());
        if (known == null) {
            return;
        }
        known.heardNanos = nowNanos;
        boolean fits = event.treeHash() == known.last.treeHash()
                && event.signatureAlgorithm() == known.last.signatureAlgorithm()
                && event.signature().sizeBytes() == known.last.signatureSizeBytes();
        boolean counts = fits && !(event.sequence() < known.last.nextSequence() || event.sequence() == Long.MAX_VALUE);
        if (!counts || known.givenUp) {
            return;
        }
        events += known.tail.putIfAbsent(event.sequence(), event.signature()) == null ? 1 : 0;
        if (event.sequence() - known.last.nextSequence() > MOST_EVENTS + MOST_MISSING) {
            forgotten++;
            giveUp(known);
        }
        if (events > MOST_EVENTS) {
            forgotten++;
            streams.values().stream()
                    .max(Comparator.comparingInt(stream -> stream.tail.size()))
                    .ifPresent(this::giveUp);
        }
    }

    private void forgetFirst() {
        Stream first = streams.remove(streams.keySet().iterator().next());
        if (first != null) {
            forgotten += first.isEnded() ? 0 : 1;
            events -= first.tail.size();
        }
    }

    /** Of how many streams no end is stated, because they are too many or hold too much. */
    long forgotten() {
        return forgotten;
    }

    /** True if the end of any stream is still to be stated, now or once it was silent for long enough. */
    boolean isAnyOpen() {
        return streams.values().stream().anyMatch(stream -> !stream.isEnded());
    }

    /**
     * The emitters whose ends are to be stated now: the log was read up to where it ended when they had been silent for so long, and they
     * are silent still.
     *
     * @param moreNanos for how long a record may be on its way
     * @param fenced true if nobody else can write any more
     * @param position where reading stands
     * @param logEnd where the log ends now
     */
    List<Long> due(long nowNanos, long moreNanos, boolean fenced, long position, LongSupplier logEnd) {
        List<Long> silent = silent(nowNanos, moreNanos, fenced);
        if (silent.isEmpty()) {
            end = -1;
            return silent;
        }
        if (end < 0) {
            end = logEnd.getAsLong();
            silentAtEnd = silent;
        }
        if (position < end) {
            return List.of();
        }
        end = -1;
        silent.removeIf(emitter -> !silentAtEnd.contains(emitter));
        return silent;
    }

    /** The emitters of which nothing came for longer than their promise and another time, and whose ends nobody has stated. */
    List<Long> silent(long nowNanos, long moreNanos, boolean fenced) {
        List<Long> silent = new ArrayList<>();
        streams.forEach((emitter, stream) -> {
            long limitNanos = fenced ? 0 : limitNanos(stream.last.promiseMillis(), moreNanos);
            boolean stating = stream.statedNanos != null && nowNanos - stream.statedNanos < moreNanos;
            if (!stream.isEnded() && !stating && nowNanos - stream.heardNanos >= limitNanos) {
                silent.add(emitter);
            }
        });
        return silent;
    }

    /** How long nothing may come of an open stream at most until its end is stated, as far as that is watched for; 0 if none is open. */
    long longestSilenceNanos(long moreNanos) {
        return streams.values().stream()
                .filter(stream -> !stream.isEnded())
                .mapToLong(stream -> limitNanos(Math.min(MOST_PROMISE_MILLIS, stream.last.promiseMillis()), moreNanos))
                .max()
                .orElse(0);
    }

    /** True while an end is due, and the log was not read up to where it ended then. */
    boolean awaitsLogEnd() {
        return end >= 0;
    }

    private static long limitNanos(long promiseMillis, long moreNanos) {
        long promiseNanos = TimeUnit.MILLISECONDS.toNanos(promiseMillis);
        return moreNanos + Math.min(promiseNanos, Long.MAX_VALUE - moreNanos);
    }

    /** The end of a stream was sent, and may arrive for as long as a record is on its way. */
    void stated(long emitter, long nowNanos) {
        Stream stream = streams.get(emitter);
        if (stream != null) {
            stream.statedNanos = nowNanos;
        }
    }

    /** The statement of a stream's end, with leaves or without; empty if too much is missing. */
    Optional<Format2Checkpoint> end(long emitter, boolean withLeaves, long nowMillis) {
        Stream stream = streams.get(emitter);
        if (stream == null) {
            return Optional.empty();
        }
        Format2Checkpoint last = stream.last;
        if (last.number() == Long.MAX_VALUE) {
            return Optional.empty();
        }
        Interval found = new Interval(last.treeHash(), last.nextSequence(), withLeaves);
        List<SequenceRange> missing = new ArrayList<>();
        long next = last.nextSequence();
        for (Map.Entry<Long, Hash> event : stream.tail.entrySet()) {
            if (event.getKey() > next) {
                missing.add(new SequenceRange(next, event.getKey()));
            }
            found.add(event.getKey(), event.getValue());
            next = event.getKey() + 1;
        }
        if (missing.size() > Format2Checkpoint.MAX_UNCERTAIN
                || next - last.nextSequence() - found.count() > MOST_MISSING) {
            return Optional.empty();
        }
        return Optional.of(new Format2Checkpoint(
                last.stream(),
                name,
                last.number() + 1,
                last.nextSequence(),
                found.count(),
                last.treeHash(),
                last.signatureAlgorithm(),
                last.signatureSizeBytes(),
                found.root(),
                stream.chainHash,
                nowMillis,
                0,
                Ending.RECOVERED,
                missing,
                stream.lastOffset,
                withLeaves ? Optional.of(found.leaves()) : Optional.empty(),
                Optional.empty()));
    }

    /** No end of a stream is to be stated any more, whatever follows: who forgot what was there would call it missing. */
    void giveUp(long emitter) {
        Stream stream = streams.get(emitter);
        if (stream != null) {
            giveUp(stream);
        }
    }

    private void giveUp(Stream stream) {
        stream.givenUp = true;
        events -= stream.tail.size();
        stream.tail.clear();
    }
}
