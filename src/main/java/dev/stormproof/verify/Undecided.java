package dev.stormproof.verify;

import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.merkle.Hash;
import dev.stormproof.verify.AuditTask.OfInterval;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The intervals of one partition that are sealed and not decided for good.
 *
 * <pre>
 *   add ──► ASKED ──answer, for good────────► (gone)
 *             │  ▲
 *             │  └──────follow, end─────────┐
 *             └──answer, provisional──► TOLD ┘
 * </pre>
 *
 * <p>A rewritten log makes every answer that is under way void: it is asked for again.
 */
final class Undecided {
    private final Map<StreamId, TreeMap<Long, Entry>> byStream = new HashMap<>();
    private final Deque<OfInterval> queue = new ArrayDeque<>();
    private int size;
    private int asked;

    /** One interval. Owned by the table that it stands in. */
    static final class Entry {
        private final SealedInterval interval;
        private final Hash chainHash;
        private long firstOffset;
        private final long previousOffset;
        private @Nullable OfInterval task;
        private long askedEnd;
        private long nextEnd;
        private long latestEnd;
        private boolean last;
        private long forgottenSince = -1;
        private boolean askedAsLast;
        private @Nullable Violated told;
        private long toldBegin;

        private Entry(Observation observation, boolean last) {
            this.interval = observation.interval();
            this.chainHash = observation.record().chainHash();
            this.firstOffset = observation.firstOffset();
            this.previousOffset = observation.previousOffset();
            this.last = last;
            this.nextEnd = interval.checkpointOffset() + 1;
            this.latestEnd = nextEnd;
        }

        SealedInterval interval() {
            return interval;
        }

        /** The first offset that may belong to it. */
        long firstOffset() {
            return firstOffset;
        }

        /** The first event that it may seal, and that nobody else knows of since its stream was given up; -1 if none is. */
        long forgottenSince() {
            return forgottenSince;
        }

        private void forget(long since) {
            if (since >= 0) {
                forgottenSince = forgottenSince < 0 ? since : Math.min(forgottenSince, since);
                firstOffset = Math.min(firstOffset, since);
            }
        }

        /** What was told provisionally. */
        Optional<Violated> told() {
            return Optional.ofNullable(told);
        }

        /** Where the evidence began on which that was told. */
        long toldBegin() {
            return toldBegin;
        }
    }

    /**
     * Notes an interval that the log has to decide; if it is already here, as what it was first seen. Another checkpoint at
     * the same offset is one of a log that was cut since.
     */
    void add(Observation observation, boolean closing) {
        SealedInterval interval = observation.interval();
        Entry known = byStream.getOrDefault(interval.stream(), new TreeMap<>()).get(interval.checkpointOffset());
        if (known != null && !known.chainHash.equals(observation.record().chainHash())) {
            remove(known);
        }
        TreeMap<Long, Entry> stream = byStream.computeIfAbsent(interval.stream(), first -> new TreeMap<>());
        if (!stream.containsKey(interval.checkpointOffset())) {
            Entry entry = new Entry(observation, closing);
            stream.put(interval.checkpointOffset(), entry);
            size++;
            ask(entry);
        }
    }

    /** A checkpoint of the stream came at an offset: what lies before it may be decided for good. */
    void follow(StreamId stream, long offset) {
        TreeMap<Long, Entry> entries = byStream.get(stream);
        if (entries != null) {
            entries.headMap(offset).values().forEach(entry -> extend(entry, offset + 1));
        }
    }

    /**
     * Nobody waits for the stream's next checkpoint any more: what the log holds up to {@code endOffset} decides for good. It
     * may end there, so that nothing behind it is asked for.
     *
     * @param forgottenSince the first of its events that the intervals here may seal, and that nobody else knows of any
     *     more; -1 if there are none
     */
    void end(StreamId stream, long endOffset, long forgottenSince) {
        TreeMap<Long, Entry> entries = byStream.get(stream);
        if (entries != null) {
            for (Entry entry : entries.values()) {
                entry.last = true;
                entry.forget(forgottenSince);
                extend(entry, endOffset);
            }
        }
    }

    /** Nobody waits for what may follow the interval: what the log holds up to {@code endOffset} decides for good. */
    void end(Entry entry, long endOffset) {
        entry.last = true;
        extend(entry, endOffset);
    }

    /** The interval whose audit was answered; empty if the answer does not count any more. */
    @SuppressWarnings("ReferenceEquality") // An equal task may have been asked for twice; only the last answer counts.
    Optional<Entry> answered(OfInterval task) {
        Entry entry = byStream.getOrDefault(task.interval().stream(), new TreeMap<>())
                .get(task.interval().checkpointOffset());
        if (entry == null || entry.task != task) {
            return Optional.empty();
        }
        asked -= waitsForFirst(entry) ? 1 : 0;
        entry.task = null;
        return Optional.of(entry);
    }

    /** Notes what was told of an interval, which stays undecided. */
    void tell(Entry entry, Violated told, long evidenceBegin) {
        if (entry.told == null) {
            entry.toldBegin = evidenceBegin;
        }
        entry.told = told;
        if (entry.nextEnd > entry.askedEnd || (entry.last && !entry.askedAsLast)) {
            ask(entry);
        }
    }

    /** Forgets an interval that is decided. */
    void remove(Entry entry) {
        StreamId stream = entry.interval.stream();
        TreeMap<Long, Entry> entries = byStream.get(stream);
        if (entries != null && entries.remove(entry.interval.checkpointOffset()) != null) {
            size--;
            asked -= waitsForFirst(entry) ? 1 : 0;
            if (entries.isEmpty()) {
                byStream.remove(stream);
            }
        }
    }

    /**
     * The log was cut at or before an offset: forgets what lay behind it, asks for the rest again, and returns what was
     * told provisionally of the forgotten.
     */
    List<Violated> rewrite(long offset) {
        List<Entry> gone = new ArrayList<>();
        queue.clear();
        for (TreeMap<Long, Entry> entries : byStream.values()) {
            gone.addAll(entries.tailMap(offset).values());
            for (Entry entry : entries.headMap(offset).values()) {
                if (entry.task != null) {
                    asked -= waitsForFirst(entry) ? 1 : 0;
                    ask(entry);
                }
            }
        }
        gone.forEach(this::remove);
        return gone.stream().flatMap(entry -> entry.told().stream()).toList();
    }

    /** The next interval to audit. */
    Optional<OfInterval> poll() {
        return Optional.ofNullable(queue.poll());
    }

    /** How many intervals there are. */
    int size() {
        return size;
    }

    /**
     * How many of them wait for their first audit. Those of which something was told provisionally do not count: each was
     * audited before, and its next audit is the end of it.
     */
    int asked() {
        return asked;
    }

    /** The first offset that any of them needs; {@link Long#MAX_VALUE} if there is none. */
    long firstOffset() {
        long first = Long.MAX_VALUE;
        for (TreeMap<Long, Entry> entries : byStream.values()) {
            for (Entry entry : entries.values()) {
                first = Math.min(first, entry.firstOffset);
            }
        }
        return first;
    }

    /** The same of those whose checkpoints lie at an offset or behind it. */
    long firstOffsetSealedFrom(long offset) {
        long first = Long.MAX_VALUE;
        for (TreeMap<Long, Entry> entries : byStream.values()) {
            for (Entry entry : entries.tailMap(offset).values()) {
                first = Math.min(first, entry.firstOffset);
            }
        }
        return first;
    }

    private void extend(Entry entry, long endOffset) {
        entry.latestEnd = Math.max(entry.latestEnd, endOffset);
        if (entry.nextEnd == entry.askedEnd) {
            entry.nextEnd = entry.latestEnd;
        }
        if (entry.told != null && entry.task == null) {
            ask(entry);
        }
    }

    private void ask(Entry entry) {
        OfInterval task =
                new OfInterval(entry.interval, entry.chainHash, entry.previousOffset, entry.nextEnd, entry.last);
        entry.task = task;
        entry.askedEnd = entry.nextEnd;
        entry.askedAsLast = entry.last;
        entry.nextEnd = entry.latestEnd;
        asked += waitsForFirst(entry) ? 1 : 0;
        queue.add(task);
    }

    /** True of an interval that is being asked for and of which nothing was told. */
    private static boolean waitsForFirst(Entry entry) {
        return entry.task != null && entry.told == null;
    }
}
