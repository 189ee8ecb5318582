package dev.stormproof.consume;

import dev.stormproof.consume.Entry.OfCheckpoint;
import dev.stormproof.consume.Entry.OfEvent;
import dev.stormproof.consume.Entry.OfStray;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
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
 *            ──another leader wrote in its place───────────────────────────► CUT_OFF: fetched again
 *            ──a checkpoint────────────────────────────────────────────────► PASSED
 *            ──an event of an interval that the progress has passed─────────► VERIFIED, or UNVERIFIED by an alert
 *            ──an event whose next checkpoint was not fetched yet───────────► NEEDS_MORE
 *            ──an event behind which the progress has passed no checkpoint──► UNVERIFIED
 *            ──an event from before the verification began──────────────────► UNVERIFIED
 *            ──a record of no stream────────────────────────────────────────► UNVERIFIED
 * </pre>
 *
 * <p>An event is believed for two reasons together: the progress has passed its interval without an alert, and a checkpoint of
 * its own stream, which lies behind it and before the progress, states its sequence. So what nobody judged is not handed
 * out, even where no alert tells of it.
 *
 * <p>Events of one stream that follow one another without a gap, in the log and in the stream, are a run: held as one, and judged as one.
 *
 * <pre>
 *   log    e4 e5 e6 e7 #3  b2  e8        a run: offset and sequence of the first, how many, the oldest of their times
 *   runs  [e4 ─────► e7][#3][b2][e8]     of one record each: what is no event, and events that lie among those of others
 * </pre>
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

    private final ToLongFunction<T> writtenMillis;
    private final Deque<T> records = new ArrayDeque<>();
    /** What the records are, in the same order. */
    private final Deque<Run> runs = new ArrayDeque<>();

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

    /** @param writtenMillis the time that a record bears */
    HeldRecords(ToLongFunction<T> writtenMillis) {
        this.writtenMillis = writtenMillis;
    }

    /** What becomes of the first record. */
    enum Fate {
        WAITS,
        CUT_OFF,
        NEEDS_MORE,
        PASSED,
        VERIFIED,
        UNVERIFIED
    }

    /**
     * The fate of the first records.
     *
     * @param count how many of them are verified; 1 with any other fate
     * @param unverified why the first is not verified, if it is judged
     */
    record Judged(Fate fate, int count, @Nullable Unverified unverified) {
        private static final Judged WAITS = new Judged(Fate.WAITS, 1, null);
        private static final Judged CUT_OFF = new Judged(Fate.CUT_OFF, 1, null);
        private static final Judged NEEDS_MORE = new Judged(Fate.NEEDS_MORE, 1, null);
        private static final Judged PASSED = new Judged(Fate.PASSED, 1, null);

        private static Judged verified(int count) {
            return new Judged(Fate.VERIFIED, count, null);
        }

        private static Judged not(Unverified why) {
            return new Judged(Fate.UNVERIFIED, 1, why);
        }
    }

    /** Events of one stream that follow one another without a gap, of one leader; or one record that is no event. */
    static final class Run {
        private final int leaderEpoch;
        /** What it is, if it is no event. */
        private final @Nullable Entry entry;

        private final @Nullable Stream stream;
        /** Of its first record, as the sequence is. */
        private long offset;

        private long sequence;
        private int count;
        private long sizeBytes;
        /** No record of it is older. */
        private long oldestMillis = Long.MAX_VALUE;

        private Run(long offset, int leaderEpoch, @Nullable Entry entry, long sequence, @Nullable Stream stream) {
            this.offset = offset;
            this.leaderEpoch = leaderEpoch;
            this.entry = entry;
            this.sequence = sequence;
            this.stream = stream;
        }

        /** The offset of its first record. */
        long offset() {
            return offset;
        }

        int leaderEpoch() {
            return leaderEpoch;
        }

        private boolean goesOnWith(long nextOffset, int epoch, Stream ofStream, long nextSequence) {
            boolean sameLeader = leaderEpoch == epoch;
            boolean nextInLog = offset + count == nextOffset;
            boolean nextInStream = entry == null && stream == ofStream && sequence + count == nextSequence;
            return sameLeader && nextInLog && nextInStream;
        }

        private void add(int recordBytes, long millis) {
            count++;
            sizeBytes += recordBytes;
            oldestMillis = Math.min(oldestMillis, millis);
        }

        /** Counts some of its records out; returns about how many bytes they are. */
        private long remove(int some) {
            long bytes = some == count ? sizeBytes : sizeBytes / count * some;
            count -= some;
            sizeBytes -= bytes;
            return bytes;
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
    void add(long offset, int leaderEpoch, int recordBytes, Entry entry, T record) {
        if (entry instanceof OfEvent event) {
            addEvent(offset, leaderEpoch, recordBytes, event.emitter(), event.sequence(), record);
            return;
        }
        Stream stream = null;
        if (entry instanceof OfCheckpoint checkpoint) {
            stream = stream(checkpoint.emitter());
            stream.seals.add(new Seal(offset, leaderEpoch, checkpoint));
            stream.records++;
        }
        Run one = new Run(offset, leaderEpoch, entry, 0, stream);
        runs.add(one);
        add(one, recordBytes, record);
    }

    /** Adds the next record of the log, an event. */
    void addEvent(long offset, int leaderEpoch, int recordBytes, long emitter, long sequence, T record) {
        Stream stream = stream(emitter);
        stream.records++;
        Run run = runs.peekLast();
        if (run == null || !run.goesOnWith(offset, leaderEpoch, stream, sequence)) {
            run = new Run(offset, leaderEpoch, null, sequence, stream);
            runs.add(run);
        }
        add(run, recordBytes, record);
    }

    private void add(Run run, int recordBytes, T record) {
        run.add(recordBytes, writtenMillis.applyAsLong(record));
        records.add(record);
        sizeBytes += recordBytes;
    }

    /** Takes out all records from an offset on: they lie in the log no more. */
    void removeFrom(long offset) {
        for (Run end = runs.peekLast(); end != null && end.offset + end.count > offset; end = runs.peekLast()) {
            int gone = (int) Math.min(end.count, end.offset + end.count - offset);
            sizeBytes -= end.remove(gone);
            for (int i = 0; i < gone; i++) {
                records.removeLast();
            }
            if (end.count == 0) {
                runs.removeLast();
            }
            Stream stream = end.stream;
            if (stream == null) {
                continue;
            }
            if (end.entry instanceof OfCheckpoint) {
                Seal seal = stream.seals.removeLast();
                stream.clean = seal.equals(stream.clean) ? null : stream.clean;
            }
            forgetIfEmpty(stream, gone);
        }
    }

    /** What the first record is of; null if none is held. */
    @Nullable
    Run first() {
        return runs.peek();
    }

    /** The records, from the first on. */
    Iterator<T> records() {
        return records.iterator();
    }

    /** Takes the first record out. */
    void removeFirst() {
        remove(1);
    }

    /** Takes out the first events, which were judged to be verified and are handed out. */
    void handOut(int count) {
        Run first = runs.element();
        if (first.stream != null) {
            first.stream.handedOut.sequence = first.sequence + count - 1;
            first.stream.handedOut.offset = first.offset + count - 1;
        }
        remove(count);
    }

    private void remove(int count) {
        Run first = runs.element();
        sizeBytes -= first.remove(count);
        first.offset += count;
        first.sequence += count;
        for (int i = 0; i < count; i++) {
            records.remove();
        }
        if (first.count == 0) {
            runs.remove();
        }
        Stream stream = first.stream;
        if (stream == null) {
            return;
        }
        if (first.entry instanceof OfCheckpoint) {
            Seal seal = stream.seals.remove();
            stream.clean = seal.equals(stream.clean) ? null : stream.clean;
        }
        forgetIfEmpty(stream, count);
    }

    /** Counts records of a stream out. */
    private void forgetIfEmpty(Stream stream, int gone) {
        stream.records -= gone;
        if (stream.records == 0) {
            streams.remove(stream.emitter);
            last = null;
        }
    }

    /**
     * What becomes of the first record, and of those behind it for which the same holds.
     *
     * @param progress the verified progress; every alert of what lies before it is among the findings
     * @param fetchedEnd the offset behind the last record that was fetched, or passed over by the fetch
     * @param noMore true if no more can be fetched for want of room
     */
    Judged judgeFirst(ProgressPoint progress, long fetchedEnd, boolean noMore, PartitionFindings findings) {
        Run first = runs.element();
        if (!progress.hasPassed(first.offset, first.leaderEpoch)) {
            return progress.hasCutOff(first.offset, first.leaderEpoch) ? Judged.CUT_OFF : Judged.WAITS;
        }
        Optional<Unverified> against = findings.ofRecord(first.offset, writtenMillis.applyAsLong(records.element()));
        if (first.entry == null && first.stream != null) {
            if (first.offset < progress.from()) {
                return Judged.not(new Unverified(
                        "",
                        "it lies before offset " + progress.from() + ", where the verification began: nobody judged it",
                        progress.from()));
            }
            return against.isPresent()
                    ? Judged.not(against.get())
                    : judge(first, first.stream, progress, fetchedEnd, noMore, findings);
        }
        if (first.entry instanceof OfStray stray) {
            return Judged.not(
                    findings.ofStray(first.offset).orElseGet(() -> new Unverified("", stray.why(), first.offset + 1)));
        }
        return Judged.PASSED;
    }

    private Judged judge(
            Run first,
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
            return Judged.not(new Unverified(
                    "",
                    fetchedEnd < progress.offset()
                            ? "no checkpoint of its stream lies among as many records as are held: raise "
                                    + VerifiedConsumerConfig.HELD_MAX_BYTES
                            : "no checkpoint of its stream states it, up to the verified progress",
                    first.offset + 1));
        }
        if (stream.clean == null) {
            Optional<Unverified> alert = findings.ofIntervals(stream.emitter, first.offset, seal.offset());
            if (alert.isPresent()) {
                return Judged.not(alert.get());
            }
            stream.clean = seal;
        }
        if (mayBeOfAnIntervalBefore(first.offset, seal, stream)) {
            return Judged.not(new Unverified(
                    "",
                    "a checkpoint that an alert tells of lies between it and the one that states it",
                    first.offset + 1));
        }
        OfCheckpoint states = seal.checkpoint();
        if (first.sequence < states.firstSequence() || first.sequence >= states.nextSequence()) {
            return Judged.not(new Unverified(
                    "",
                    "its sequence " + first.sequence
                            + " is none of those that the next checkpoint of its stream states, ["
                            + states.firstSequence() + ", " + states.nextSequence() + ")",
                    first.offset + 1));
        }
        if (first.sequence <= stream.handedOut.sequence && first.offset > stream.handedOut.offset) {
            return Judged.not(new Unverified(
                    "",
                    "its sequence " + first.sequence + " lies behind " + stream.handedOut.sequence
                            + " of the same stream, which was handed out: a copy of an interval from before",
                    first.offset + 1));
        }
        return Judged.verified(alike(first, states, progress, findings));
    }

    /**
     * How many of a run are verified, if its first is. The same checkpoint lies behind them all, and what is known of the stream, of its
     * interval and of places in the log holds for them as for the first, but for three things. The interval may state fewer of
     * them, a later leader may have cut some off, and some may be older.
     */
    private static int alike(Run run, OfCheckpoint states, ProgressPoint progress, PartitionFindings findings) {
        long stated = states.nextSequence() - run.sequence;
        int count = (int) Math.max(1, Math.min(run.count, stated));
        long last = run.offset + count - 1;
        boolean allPassed = progress.hasPassed(last, run.leaderEpoch);
        boolean allOfKnownTimes = findings.ofRecord(last, run.oldestMillis).isEmpty();
        return allPassed && allOfKnownTimes ? count : 1;
    }

    /** The first checkpoint behind an event that the progress has passed and no alert calls a stray; null if there is none. */
    private static @Nullable Seal sealBehind(
            long offset, Stream stream, ProgressPoint progress, PartitionFindings findings) {
        for (Seal seal : stream.seals) {
            if (!progress.hasPassed(seal.offset(), seal.leaderEpoch())) {
                return null;
            }
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
        return records.size();
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
