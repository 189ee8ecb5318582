package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfInterval.Earlier;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The intervals of one partition that the log has to judge.
 *
 * <pre>
 *   add ──► ASKED ──answer, final────────► (gone)
 *             ▲ └───answer, provisional──► PUBLISHED   its neighbours may still change a name
 *             └──the stream goes on, or ends, or too many wait┘
 *
 *   ASKED ──answer, verified, while one further up may state the same number──► HELD ──that is judged──► ASKED
 *   ASKED ──answer, its checkpoint is not there, the first time──► MISSING ──the log was read, and not cut──► ASKED
 * </pre>
 *
 * <p>What provisional verdicts name is bounded: beyond {@value #MOST_NAMED} anomalies in all, the next one that is kept names its first
 * anomaly alone, and counts the others. Owned by one thread.
 */
final class PendingIntervals {
    /** An interval, with what its checkpoint is compared by and the verdict's own fields. */
    static final long ENTRY_BYTES = 768;

    /** A question that waits. */
    static final long TASK_BYTES = 256;

    /** How many anomalies the provisional verdicts that are kept name in all; beyond that each names one. */
    static final int MOST_NAMED = 100_000;

    private static final long NONE = -1;

    private static final NavigableMap<Long, Entry> NO_ENTRIES = new TreeMap<>();

    private final Map<StreamId, NavigableMap<Long, Entry>> byStream = new HashMap<>();
    private final Deque<OfInterval> queue = new ArrayDeque<>();
    /** Those with a provisional verdict that what follows may change, in the order in which it was published. */
    private final Set<Entry> open = new LinkedHashSet<>();

    /** Those whose checkpoints were not in their places, until the log has been read on. */
    private final List<Entry> missing = new ArrayList<>();

    private int size;
    private int unpublished;
    private int held;
    private int named;

    /** One interval. Owned by the table that it stands in. */
    static final class Entry {
        final LastCheckpoint checkpoint;
        final IntervalId interval;
        /** The first offset that may belong to the interval. */
        final long firstOffset;

        private final long previousOffset;
        private Earlier earlier;
        /** Behind the first checkpoint of the stream that came behind the interval's own; {@link #NONE} until then. */
        private long successorEnd = NONE;

        private long endOffset;
        private boolean last;
        /** Up to where the log was asked last. */
        private long askedEnd;

        private @Nullable OfInterval asked;
        /** True if it waits for what lies further up. */
        private boolean held;

        private @Nullable Violated published;
        private long publishedBegin;
        /** True once its checkpoint was not in its place. */
        private boolean missed;

        private Entry(EventStream.Sealed sealed, Earlier earlier) {
            this.checkpoint = LastCheckpoint.of(sealed.record());
            this.earlier = earlier;
            this.interval = IntervalId.of(sealed.record());
            this.firstOffset = sealed.firstOffset();
            this.previousOffset = sealed.previousOffset();
            this.endOffset = checkpoint.offset() + 1;
            this.last = checkpoint.closing();
        }

        /** The provisional verdict that was published. */
        Optional<Violated> published() {
            return Optional.ofNullable(published);
        }

        private int named() {
            return published == null ? 0 : published.anomalies().size();
        }

        /** Where the evidence began on which that verdict rests. */
        long publishedBegin() {
            return publishedBegin;
        }
    }

    /** @param readSince the offset from which on everything was read */
    void add(EventStream.Sealed sealed, long readSince) {
        Entry entry = new Entry(
                sealed,
                new Earlier(
                        sealed.sealedOffset(),
                        sealed.sealedNumber(),
                        readSince,
                        sealed.seenSince(),
                        sealed.seenWhole()));
        byStream.computeIfAbsent(entry.interval.stream(), stream -> new TreeMap<>())
                .put(entry.checkpoint.offset(), entry);
        size++;
        unpublished++;
        ask(entry);
    }

    /** A checkpoint of the stream came at an offset: the intervals before it may be final. */
    void goesOn(StreamId stream, long checkpointOffset) {
        for (Entry entry : entries(stream).headMap(checkpointOffset).values()) {
            entry.successorEnd = entry.successorEnd == NONE ? checkpointOffset + 1 : entry.successorEnd;
            extend(entry, checkpointOffset + 1, false);
        }
    }

    /** The stream's next checkpoint is not waited for: what the log holds up to an offset is final. */
    void ends(StreamId stream, long endOffset) {
        entries(stream).values().forEach(entry -> extend(entry, endOffset, true));
    }

    /** The same for one interval. */
    void ends(Entry entry, long endOffset) {
        extend(entry, endOffset, true);
    }

    /** The provisional verdict that was published first is final by what the log holds up to an offset, if any is open. */
    void endOldest(long endOffset) {
        open.stream().findFirst().ifPresent(oldest -> ends(oldest, endOffset));
    }

    /** The interval that an answer is about; empty if the answer does not count any more. */
    @SuppressWarnings("ReferenceEquality") // A task of before a truncation may equal one of after it.
    Optional<Entry> answered(OfInterval task) {
        Entry entry = entries(task.interval().stream()).get(task.interval().checkpointOffset());
        return entry == null || entry.asked != task ? Optional.empty() : Optional.of(entry);
    }

    /** Has an interval read once more, since a checkpoint is known by now that may show that its own seals nothing. */
    void askAgain(Entry entry, long sealedOffset) {
        entry.earlier = new Earlier(
                sealedOffset, -1, entry.earlier.readSince(), entry.earlier.openSince(), entry.earlier.seenWhole());
        ask(entry);
    }

    /**
     * Holds an interval until the log has judged those of its stream further up that bear no smaller number: it is one of these that
     * counts, however far up it lies.
     *
     * @return false if there are none
     */
    boolean hold(Entry entry) {
        if (entry.checkpoint.number() == Checkpoint.NO_NUMBER || !waitsForEarlier(entry)) {
            return false;
        }
        entry.held = true;
        held++;
        return true;
    }

    private boolean waitsForEarlier(Entry entry) {
        return entries(entry.interval.stream()).headMap(entry.checkpoint.offset()).values().stream()
                .anyMatch(earlier ->
                        earlier.published == null && earlier.checkpoint.number() >= entry.checkpoint.number());
    }

    /** Has those read again that wait for nothing further up any more. */
    private void release(StreamId stream) {
        if (held == 0) {
            return;
        }
        for (Entry entry : entries(stream).values()) {
            if (entry.held && !waitsForEarlier(entry)) {
                entry.held = false;
                held--;
                ask(entry);
            }
        }
    }

    /** Notes that an interval's checkpoint is not in its place; false if it was not before either. */
    boolean miss(Entry entry) {
        if (entry.missed) {
            return false;
        }
        entry.missed = true;
        entry.asked = null;
        missing.add(entry);
        return true;
    }

    /** True if a checkpoint is not in its place, and nobody knows why yet. */
    boolean misses() {
        return !missing.isEmpty();
    }

    /** Has those read again whose checkpoints were not in their places: the log was read on, and nothing was cut off. */
    void askMissing() {
        missing.forEach(this::ask);
        missing.clear();
    }

    /** Notes the provisional verdict that was published of an interval. */
    void published(Entry entry, Violated violated, long evidenceBegin) {
        OfInterval task = entry.asked;
        boolean first = entry.published == null;
        if (first) {
            entry.publishedBegin = evidenceBegin;
            unpublished--;
            if (!entry.last) {
                open.add(entry);
            }
        }
        named -= entry.named();
        boolean fits = named + violated.anomalies().size() <= MOST_NAMED;
        entry.published = fits ? violated : violated.naming(0, 1);
        named += entry.named();
        entry.asked = null;
        if (task != null && (entry.endOffset > task.endOffset() || entry.last != task.last())) {
            ask(entry);
        }
        if (first) {
            release(entry.interval.stream());
        }
    }

    /** An interval is judged, and its verdict final. */
    void remove(Entry entry) {
        NavigableMap<Long, Entry> entries = entries(entry.interval.stream());
        if (entries.remove(entry.checkpoint.offset()) != null) {
            size--;
            unpublished -= entry.published == null ? 1 : 0;
            open.remove(entry);
            named -= entry.named();
            if (entries.isEmpty()) {
                byStream.remove(entry.interval.stream());
            }
            release(entry.interval.stream());
        }
    }

    /** Forgets every interval; returns what was published of those whose checkpoints lie at or behind an offset. */
    List<Violated> clear(long offset) {
        List<Violated> published = new ArrayList<>();
        for (NavigableMap<Long, Entry> entries : byStream.values()) {
            entries.tailMap(offset).values().forEach(entry -> entry.published().ifPresent(published::add));
        }
        byStream.clear();
        queue.clear();
        missing.clear();
        open.clear();
        size = 0;
        unpublished = 0;
        held = 0;
        named = 0;
        return published;
    }

    /** The next interval to read from the log. */
    Optional<OfInterval> poll() {
        return Optional.ofNullable(queue.poll());
    }

    /** True if an interval of the stream waits for its first audit. */
    boolean hasUnpublished(StreamId stream) {
        return entries(stream).values().stream().anyMatch(entry -> entry.published == null);
    }

    int size() {
        return size;
    }

    /** How many of them wait for their first audit. */
    int unpublished() {
        return unpublished;
    }

    /** How many have a verdict that what follows may change. */
    int open() {
        return open.size();
    }

    /** The first offset that may belong to any of them; {@link Long#MAX_VALUE} if there is none. */
    long firstOffset() {
        return byStream.values().stream()
                .flatMap(entries -> entries.values().stream())
                .mapToLong(entry -> entry.firstOffset)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** About how much memory they take, without what provisional verdicts name. */
    long sizeBytes() {
        return ENTRY_BYTES * size + TASK_BYTES * queue.size();
    }

    private NavigableMap<Long, Entry> entries(StreamId stream) {
        return byStream.getOrDefault(stream, NO_ENTRIES);
    }

    private void extend(Entry entry, long endOffset, boolean last) {
        entry.endOffset = Math.max(entry.endOffset, endOffset);
        entry.last |= last;
        if (entry.last) {
            open.remove(entry);
        }
        if (entry.published != null && entry.asked == null && !missing.contains(entry)) {
            ask(entry);
        }
    }

    /**
     * Has an interval read up to its successor, and only if that leaves it open up to where the stream has come: behind a verifier
     * that is late there lie many intervals, and each would be read for all those before it.
     */
    private void ask(Entry entry) {
        boolean further = entry.askedEnd >= entry.successorEnd;
        long end = further ? entry.endOffset : entry.successorEnd;
        OfInterval task = new OfInterval(
                entry.interval,
                entry.checkpoint.chainHash(),
                entry.previousOffset,
                end,
                entry.last && end == entry.endOffset,
                entry.earlier);
        entry.askedEnd = end;
        entry.asked = task;
        queue.add(task);
    }
}
