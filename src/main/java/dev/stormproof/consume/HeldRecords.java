package dev.stormproof.consume;

import dev.stormproof.consume.Entry.OfCheckpoint;
import dev.stormproof.consume.Entry.OfEvent;
import dev.stormproof.consume.Entry.OfStray;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition that were fetched and not handed out, in the order of the log, and what becomes of the first.
 *
 * <pre>
 *   offsets     20   21   22   23   24   25   26   27
 *   log         e4   b1   e5   #3   b2   #b2  e6   #4
 *   progress                                  ▲ 26
 *
 *   e4, e5   the next checkpoint of their stream is #3: handed out, unless an alert says otherwise of that interval
 *   b1, b2   likewise by #b2
 *   #3, #b2  passed over
 *   e6       waits for the progress
 *
 *   first    ──the progress has not passed it──────────────────────────────► WAITS
 *            ──a checkpoint────────────────────────────────────────────────► PASSED
 *            ──an event of an interval that the progress has passed─────────► VERIFIED, or UNVERIFIED by an alert
 *            ──an event whose next checkpoint was not fetched yet───────────► NEEDS_MORE
 *            ──an event behind which the progress has passed no checkpoint──► UNVERIFIED
 *            ──a record of no stream────────────────────────────────────────► UNVERIFIED
 * </pre>
 *
 * <p>An event is believed for two reasons together: the progress has passed its interval without an alert, and a checkpoint of
 * its own stream, which lies behind it and before the progress, states its sequence. So what nobody judged is not handed
 * out, even where no alert tells of it.
 *
 * <p>Once and in order holds across intervals too: a copy of a whole interval whose original has expired is an interval that
 * verifies. So it is remembered how far each stream was handed out, of the {@value #MOST_STREAMS} that came last.
 *
 * <p>Owned by one thread.
 *
 * @param <T> the record
 */
final class HeldRecords<T> {
    /** Of how many streams it is remembered how far they were handed out. */
    static final int MOST_STREAMS = 10_000;

    private final Deque<Held<T>> held = new ArrayDeque<>();
    private final Map<Long, HandedOut> handedOut = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, HandedOut> eldest) {
            return size() > MOST_STREAMS;
        }
    };
    private final Map<Long, Stream> streams = new HashMap<>();
    private @Nullable Stream last;
    private long sizeBytes;

    /** What becomes of the first record. */
    enum Fate {
        WAITS,
        NEEDS_MORE,
        PASSED,
        VERIFIED,
        UNVERIFIED
    }

    /** The fate of a record, and of one that is not verified the reason. */
    record Judged(Fate fate, @Nullable Unverified unverified) {
        private static final Judged WAITS = new Judged(Fate.WAITS, null);
        private static final Judged NEEDS_MORE = new Judged(Fate.NEEDS_MORE, null);
        private static final Judged PASSED = new Judged(Fate.PASSED, null);
        private static final Judged VERIFIED = new Judged(Fate.VERIFIED, null);

        private static Judged not(Unverified why) {
            return new Judged(Fate.UNVERIFIED, why);
        }
    }

    /** A record with its place. */
    static final class Held<T> {
        final long offset;
        final int leaderEpoch;
        final T record;
        private final long writtenMillis;
        private final int sizeBytes;
        /** What it is, if it is no event. */
        private final @Nullable Entry entry;

        private final long sequence;
        private final @Nullable Stream stream;

        private Held(
                long offset,
                int leaderEpoch,
                long writtenMillis,
                int sizeBytes,
                @Nullable Entry entry,
                long sequence,
                @Nullable Stream stream,
                T record) {
            this.offset = offset;
            this.leaderEpoch = leaderEpoch;
            this.writtenMillis = writtenMillis;
            this.sizeBytes = sizeBytes;
            this.entry = entry;
            this.sequence = sequence;
            this.stream = stream;
            this.record = record;
        }
    }

    /** A checkpoint as it lies in the log. */
    private record Seal(long offset, int leaderEpoch, OfCheckpoint checkpoint) {}

    /** How far a stream was handed out: its last event, and where that lies. */
    private static final class HandedOut {
        private long sequence = -1;
        private long offset = -1;
    }

    /** What is held of one emitter. */
    private static final class Stream {
        private final long emitter;
        private final HandedOut handedOut;
        private final Deque<Seal> seals = new ArrayDeque<>();
        private int records;
        /** The seal of an interval against which no alert stands: it holds for every event before it. */
        private @Nullable Seal clean;

        private Stream(long emitter, HandedOut handedOut) {
            this.emitter = emitter;
            this.handedOut = handedOut;
        }
    }

    /** Adds the next record of the log. */
    void add(long offset, int leaderEpoch, long writtenMillis, int recordBytes, Entry entry, T record) {
        if (entry instanceof OfEvent event) {
            addEvent(offset, leaderEpoch, writtenMillis, recordBytes, event.emitter(), event.sequence(), record);
            return;
        }
        Stream stream = null;
        if (entry instanceof OfCheckpoint checkpoint) {
            stream = stream(checkpoint.emitter());
            stream.seals.add(new Seal(offset, leaderEpoch, checkpoint));
            stream.records++;
        }
        held.add(new Held<>(offset, leaderEpoch, writtenMillis, recordBytes, entry, 0, stream, record));
        sizeBytes += recordBytes;
    }

    /** Adds the next record of the log, an event. */
    void addEvent(
            long offset, int leaderEpoch, long writtenMillis, int recordBytes, long emitter, long sequence, T record) {
        Stream stream = stream(emitter);
        stream.records++;
        held.add(new Held<>(offset, leaderEpoch, writtenMillis, recordBytes, null, sequence, stream, record));
        sizeBytes += recordBytes;
    }

    /** Takes out all records from an offset on: they lie in the log no more. */
    void removeFrom(long offset) {
        for (Held<T> end = held.peekLast(); end != null && end.offset >= offset; end = held.peekLast()) {
            held.removeLast();
            sizeBytes -= end.sizeBytes;
            Stream stream = end.stream;
            if (stream == null) {
                continue;
            }
            if (end.entry instanceof OfCheckpoint) {
                Seal seal = stream.seals.removeLast();
                stream.clean = seal.equals(stream.clean) ? null : stream.clean;
            }
            forgetIfEmpty(stream);
        }
    }

    /** The first record; null if none is held. */
    @Nullable
    Held<T> first() {
        return held.peek();
    }

    /** Takes the first record out. */
    void removeFirst() {
        Held<T> first = held.remove();
        sizeBytes -= first.sizeBytes;
        Stream stream = first.stream;
        if (stream == null) {
            return;
        }
        if (first.entry instanceof OfCheckpoint) {
            Seal seal = stream.seals.remove();
            stream.clean = seal.equals(stream.clean) ? null : stream.clean;
        }
        forgetIfEmpty(stream);
    }

    /** Counts a record of a stream out. */
    private void forgetIfEmpty(Stream stream) {
        if (--stream.records == 0) {
            streams.remove(stream.emitter);
            last = null;
        }
    }

    /**
     * What becomes of the first record.
     *
     * @param progress the verified progress; every alert of what lies before it is among the findings
     * @param fetchedEnd the offset behind the last record that was fetched, or passed over by the fetch
     * @param noMore true if no more can be fetched for want of room
     */
    Judged judgeFirst(ProgressPoint progress, long fetchedEnd, boolean noMore, PartitionFindings findings) {
        Held<T> first = held.element();
        if (!progress.hasPassed(first.offset, first.leaderEpoch)) {
            return Judged.WAITS;
        }
        Optional<Unverified> against = findings.ofRecord(first.offset, first.writtenMillis);
        if (first.entry == null && first.stream != null) {
            return against.isPresent()
                    ? Judged.not(against.get())
                    : judge(first, first.stream, progress, fetchedEnd, noMore, findings);
        }
        if (first.entry instanceof OfStray stray) {
            // guard: record-of-no-stream-is-not-verified: Judged.VERIFIED
            return Judged.not(
                    findings.ofStray(first.offset).orElseGet(() -> new Unverified("", stray.why(), first.offset + 1)));
        }
        return Judged.PASSED;
    }

    private Judged judge(
            Held<T> first,
            Stream stream,
            ProgressPoint progress,
            long fetchedEnd,
            boolean noMore,
            PartitionFindings findings) {
        Seal seal = stream.clean == null ? sealBehind(first.offset, stream, progress, findings) : stream.clean;
        if (seal == null) {
            Optional<Unverified> unsealed = findings.ofUnsealed(stream.emitter, first.sequence, first.offset);
            if (unsealed.isPresent()) {
                return Judged.not(unsealed.get());
            }
            if (fetchedEnd < progress.offset() && !noMore) {
                return Judged.NEEDS_MORE;
            }
            // guard: event-without-a-seal-is-not-verified: Judged.VERIFIED
            return Judged.not(new Unverified(
                    "",
                    fetchedEnd < progress.offset()
                            ? "no checkpoint of its stream lies among as many records as are held: raise "
                                    + VerifiedConsumerConfig.HELD_MAX_BYTES
                            : "no checkpoint of its stream states it, up to the verified progress",
                    first.offset + 1));
        }
        if (stream.clean == null) {
            // guard: alerted-interval-is-not-verified: Optional.empty()
            Optional<Unverified> alert = findings.ofIntervals(stream.emitter, first.offset, seal.offset());
            if (alert.isPresent()) {
                return Judged.not(alert.get());
            }
            stream.clean = seal;
        }
        // guard: event-before-the-checkpoint-that-its-seal-may-continue-is-not-verified
        if (mayBeOfAnIntervalBefore(first.offset, seal, stream)) {
            return Judged.not(new Unverified(
                    "",
                    "a checkpoint that an alert tells of lies between it and the one that states it",
                    first.offset + 1));
        }
        OfCheckpoint states = seal.checkpoint();
        // guard: sequence-beside-its-interval-is-not-verified
        if (first.sequence < states.firstSequence() || first.sequence >= states.nextSequence()) {
            return Judged.not(new Unverified(
                    "",
                    "its sequence " + first.sequence
                            + " is none of those that the next checkpoint of its stream states, ["
                            + states.firstSequence() + ", " + states.nextSequence() + ")",
                    first.offset + 1));
        }
        // guard: what-was-handed-out-is-not-handed-out-again
        if (first.sequence <= stream.handedOut.sequence && first.offset > stream.handedOut.offset) {
            return Judged.not(new Unverified(
                    "",
                    "its sequence " + first.sequence + " lies behind " + stream.handedOut.sequence
                            + " of the same stream, which was handed out: a copy of an interval from before",
                    first.offset + 1));
        }
        stream.handedOut.sequence = first.sequence;
        stream.handedOut.offset = first.offset;
        return Judged.VERIFIED;
    }

    /** The first checkpoint behind an event that the progress has passed and no alert calls a stray; null if there is none. */
    private static @Nullable Seal sealBehind(
            long offset, Stream stream, ProgressPoint progress, PartitionFindings findings) {
        for (Seal seal : stream.seals) {
            // guard: seal-beyond-the-progress-proves-nothing
            if (!progress.hasPassed(seal.offset(), seal.leaderEpoch())) {
                return null;
            }
            // guard: stray-checkpoint-seals-nothing: seal.offset() > offset
            if (seal.offset() > offset && !findings.mayBeStray(seal.offset())) {
                return seal;
            }
        }
        return null;
    }

    /** True if a stray checkpoint lies between an event and its seal, which may be the one that this continues. */
    private static boolean mayBeOfAnIntervalBefore(long offset, Seal seal, Stream stream) {
        for (Seal between : stream.seals) {
            if (between.offset() >= seal.offset()) {
                return false;
            }
            if (between.offset() > offset
                    && between.checkpoint().number() == seal.checkpoint().number() - 1) {
                return true;
            }
        }
        return false;
    }

    /** How many bytes are held, about. */
    long sizeBytes() {
        return sizeBytes;
    }

    /** How many records are held. */
    int size() {
        return held.size();
    }

    private Stream newStream(long emitter) {
        return new Stream(emitter, handedOut.computeIfAbsent(emitter, id -> new HandedOut()));
    }

    private Stream stream(long emitter) {
        Stream same = last;
        if (same == null || same.emitter != emitter) {
            same = streams.computeIfAbsent(emitter, this::newStream);
            last = same;
        }
        return same;
    }
}
