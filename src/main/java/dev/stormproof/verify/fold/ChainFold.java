package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fold over the log of one partition: takes it record by record and makes findings.
 *
 * <pre>
 *   record ─┬─ event, checkpoint ─► its stream ({@link EventStream}) ─┬─► findings
 *           ├─ stray ─────────────► finding                           └─► query for a range of the log ──answer──► its stream
 *           └─ unread ────────────► finding; it may be of any stream
 *
 *   truncated(c) ─► as a restart would, from the progress or from c, whichever is less
 *   expired(e)   ─► [progress, e) was missed; every stream is unanchored
 *   caught up    ─► overdue streams are given up
 * </pre>
 *
 * <p>What is undecided of one stream holds the progress of the partition, and nothing else. Owned by one thread.
 */
final class ChainFold implements LogSink {
    private static final int UNKNOWN = -1;

    private final PartitionId partition;
    private final InactivityTimeouts timeouts;
    private final Bounds bounds;
    private final int mostStreams;
    private final LinkedHashMap<Long, EventStream> streams = new LinkedHashMap<>(16, 0.75f, true);
    /** The streams that have doubts, in the order in which they came to have them. */
    private final Set<EventStream> doubtful = new LinkedHashSet<>();

    private final Deque<RangeQuery> tails = new ArrayDeque<>();
    private final List<Finding> findings = new ArrayList<>();
    private final UnattributedGroups groups = new UnattributedGroups(findings::add);
    private @Nullable EventStream latest;
    /** The offset before which no stream but those that are known has any record. */
    private long completeBefore;

    private long next;
    /** Where the reading began, before which nothing is known but what was kept. */
    private long readSince;

    private long readBeforeTruncation;
    private long events;
    private long firstMillis = LogRecord.NO_TIME;
    private long lastMillis = LogRecord.NO_TIME;
    private int trees;
    /** How many doubts wait to be asked or for the answer; {@link #UNKNOWN} until it is asked for. */
    private int busy;

    /** @param saved what was kept when reading ended at the offset */
    ChainFold(PartitionId partition, long beginOffset, SavedHeads saved, InactivityTimeouts timeouts, Bounds bounds) {
        this.partition = partition;
        this.timeouts = timeouts;
        this.bounds = bounds;
        this.mostStreams = Math.max(1_000, 10 * bounds.streams());
        restore(saved, beginOffset);
    }

    private void restore(SavedHeads saved, long offset) {
        streams.clear();
        doubtful.clear();
        busy = UNKNOWN;
        tails.clear();
        latest = null;
        trees = 0;
        saved.streams().forEach(one -> streams.put(one.emitter(), stream(one)));
        completeBefore = saved.complete() || offset == 0 ? Long.MAX_VALUE : 0;
        next = offset;
        readSince = offset;
    }

    /** What has to be kept if reading goes on from an offset at which it {@linkplain #beginUpTo may begin}. */
    SavedHeads savedAt(long progress) {
        return new SavedHeads(
                streams.values().stream()
                        .flatMap(stream -> stream.savedAt(progress).stream())
                        .toList(),
                progress <= completeBefore);
    }

    private StreamId id(long emitter) {
        return new StreamId(partition.topic(), partition.partition(), emitter);
    }

    @Override
    public void take(Read read) {
        LogRecord record = read.record();
        next = record.offset() + 1;
        lastMillis = record.writtenMillis() == LogRecord.NO_TIME ? lastMillis : record.writtenMillis();
        firstMillis = firstMillis == LogRecord.NO_TIME ? lastMillis : firstMillis;
        if (record instanceof Event event) {
            events++;
            EventStream stream = stream(event.emitter(), event.offset());
            boolean had = stream.hasTree();
            stream.add(event);
            countTree(stream, had);
        } else if (record instanceof CheckpointRecord checkpoint) {
            if (checkpoint.unlisted()) {
                groups.add(StrayRecord.unlisted(checkpoint));
            }
            EventStream stream = stream(checkpoint.checkpoint().stream().emitter(), checkpoint.offset());
            boolean had = stream.hasTree();
            stream.add(checkpoint);
            note(stream, had);
        } else if (record instanceof OversizedRecords unread) {
            groups.add(StrayRecord.of(partition, unread));
            completeBefore = Math.min(completeBefore, unread.firstOffset());
            streams.values().forEach(EventStream::passUnread);
            trees = 0;
        } else {
            groups.add(StrayRecord.of(partition, (UnattributedRecord) record));
        }
        groups.passed(record);
    }

    private EventStream stream(SavedStream saved) {
        StreamId id = id(saved.emitter());
        return id.emitter() == StreamId.NO_EMITTER
                ? new Format1Stream(id, saved, findings::add)
                : new StreamChain(id, saved, findings::add);
    }

    private EventStream stream(long emitter, long offset) {
        EventStream same = latest;
        if (same != null && same.id().emitter() == emitter) {
            return same;
        }
        EventStream stream = streams.get(emitter);
        if (stream == null) {
            boolean complete = offset <= completeBefore;
            stream = emitter == StreamId.NO_EMITTER
                    ? new Format1Stream(id(emitter), complete ? 0 : readSince, complete, findings::add)
                    : new StreamChain(id(emitter), offset, complete, findings::add);
            streams.put(emitter, stream);
            evictEldest();
        }
        latest = stream;
        return stream;
    }

    // Bounds

    private void note(EventStream stream, boolean hadTree) {
        countTree(stream, hadTree);
        busy = UNKNOWN;
        if (stream.doubts().isEmpty()) {
            doubtful.remove(stream);
        } else {
            doubtful.add(stream);
        }
    }

    private void countTree(EventStream stream, boolean hadTree) {
        trees += stream.hasTree() ? 1 : 0;
        trees -= hadTree ? 1 : 0;
        if (trees > bounds.streams()) {
            streams.values().stream().filter(EventStream::hasTree).findFirst().ifPresent(EventStream::dropTree);
            trees--;
        }
    }

    private void evictEldest() {
        if (streams.size() <= mostStreams) {
            return;
        }
        Optional<EventStream> idle = streams.values().stream()
                .filter(stream -> stream.doubts().isEmpty())
                .findFirst();
        idle.ifPresent(stream -> {
            boolean had = stream.hasTree();
            stream.evict("more than " + mostStreams + " streams at once");
            note(stream, had);
            streams.remove(stream.id().emitter());
            completeBefore = 0;
        });
    }

    // Changes of the log

    @Override
    public long truncated(long offset) {
        long from = beginUpTo(Math.min(progressOffset(), offset));
        readBeforeTruncation = Math.min(Math.max(next, readBeforeTruncation), offset);
        groups.clear();
        restore(savedAt(from), from);
        return from;
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        long from = Math.min(progressOffset(), beginOffset);
        if (from < endOffset) {
            findings.add(new MissedRecords(partition, from, endOffset));
        }
        groups.end();
        restore(savedAt(beginOffset), endOffset);
        streams.values().forEach(EventStream::expire);
        completeBefore = 0;
    }

    @Override
    public void caughtUp(long asOfMillis) {
        busy = UNKNOWN;
        for (EventStream stream : List.copyOf(streams.values())) {
            stream.doubts().forEach(Doubt::askMissed);
            if (stream.isOverdue(asOfMillis, timeouts) || stream.isClosedInDoubt()) {
                boolean had = stream.hasTree();
                stream.giveUp(next).ifPresent(tails::add);
                note(stream, had);
            }
        }
    }

    void endClosed() {
        streams.values().stream()
                .filter(EventStream::isClosedInDoubt)
                .forEach(stream -> stream.doubts().forEach(doubt -> doubt.end(next)));
        busy = UNKNOWN;
    }

    boolean tick(long nowMillis) {
        groups.tick(nowMillis);
        boolean overdue = false;
        for (EventStream stream : streams.values()) {
            stream.tick(nowMillis);
            overdue |= stream.isOverdue(nowMillis, timeouts);
        }
        return overdue || isMissing();
    }

    /** Notes that reading will begin at an offset at the earliest, unless the log is cut before it. */
    void forgetBefore(long progress) {
        streams.values().forEach(stream -> stream.forgetBefore(progress));
    }

    private boolean isMissing() {
        return doubtful.stream().anyMatch(stream -> stream.doubts().stream().anyMatch(Doubt::isMissed));
    }

    // Queries and answers

    /** The next query for the log; empty if there is none now. */
    Optional<RangeQuery> nextQuery() {
        if (asked() >= bounds.audits()) {
            return Optional.empty();
        }
        if (!tails.isEmpty()) {
            return Optional.of(tails.remove());
        }
        for (EventStream stream : doubtful) {
            for (Doubt doubt : stream.doubts()) {
                if (doubt.isDue()) {
                    return Optional.of(doubt.ask(stream.id()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Takes an answer.
     *
     * @return true if the log may be another one than was read
     */
    boolean answered(RangeQuery query, LogRange range) {
        EventStream stream = streams.get(query.stream().emitter());
        if (stream == null) {
            return false;
        }
        boolean had = stream.hasTree();
        boolean changed = stream.answered(query, range);
        note(stream, had);
        return changed;
    }

    @Override
    public boolean takesContent() {
        return false;
    }

    @Override
    public int room() {
        if (busy == UNKNOWN) {
            busy = count(Doubt::isBusy);
        }
        int free = bounds.audits() - busy;
        return free <= 0 && isMissing() ? 1 : Math.max(0, free);
    }

    int asked() {
        return count(Doubt::isAsked);
    }

    /** What is to be said of each interval that is not decided, if nothing more is read. */
    List<Finding> undecided() {
        return streams.values().stream()
                .flatMap(EventStream::undecided)
                .map(RangeCase::undecided)
                .toList();
    }

    private int count(Predicate<Doubt> which) {
        return (int) doubtful.stream()
                .mapToLong(stream -> stream.doubts().stream().filter(which).count())
                .sum();
    }

    void endOfLog() {
        groups.end();
    }

    void abandon() {
        groups.end();
        long progress = progressOffset();
        long read = Math.max(next, readBeforeTruncation);
        if (progress < read) {
            findings.add(new MissedRecords(partition, progress, read));
        }
        streams.clear();
    }

    List<Finding> drainFindings() {
        List<Finding> drained = List.copyOf(findings);
        findings.clear();
        return drained;
    }

    // Progress

    /** The offset before which everything is decided. */
    long progressOffset() {
        return decided(EventStream::holdOffset);
    }

    /** The same, but for the events of streams of which no checkpoint was read: no interval that is verified holds these. */
    long statedOffset() {
        return decided(EventStream::statedHoldOffset);
    }

    private long decided(ToLongFunction<EventStream> holdOffset) {
        long hold = Math.min(next, groups.firstOffset());
        for (EventStream stream : streams.values()) {
            hold = Math.min(hold, holdOffset.applyAsLong(stream));
        }
        return beginUpTo(hold);
    }

    /** The greatest offset up to another one at which reading may begin. */
    long beginUpTo(long offset) {
        long begin = offset;
        for (boolean moved = true; moved; ) {
            long before = begin;
            for (EventStream stream : streams.values()) {
                begin = stream.beginUpTo(begin);
            }
            moved = begin < before;
        }
        return begin;
    }

    void waitsSinceHeads(long latestMillis) {
        streams.values().forEach(stream -> stream.waitsSinceHead(latestMillis));
    }

    void waitsSince(long millis) {
        streams.values().forEach(stream -> stream.tick(millis));
    }

    long owedSince() {
        return streams.values().stream().mapToLong(EventStream::owedSince).min().orElse(Long.MAX_VALUE);
    }

    int openStreams() {
        return (int) streams.values().stream()
                .filter(stream -> !stream.open().isEmpty())
                .count();
    }

    /** The unsealed ends before an offset, in the order in which they begin. */
    List<UnsealedTail> openEnds(long offset) {
        return streams.values().stream()
                .flatMap(stream -> stream.openEnd().stream())
                .filter(end -> end.sinceOffset() < offset)
                .sorted(Comparator.comparingLong(UnsealedTail::sinceOffset))
                .toList();
    }

    long openEvents() {
        return streams.values().stream().mapToLong(EventStream::openEvents).sum();
    }

    List<RangeQuery> contradicted() {
        return streams.values().stream()
                .filter(EventStream::isContradicted)
                .map(stream -> stream.tailUpTo(next))
                .sorted(Comparator.comparingLong(RangeQuery::beginOffset))
                .toList();
    }

    Optional<Finding> contradiction(RangeQuery query, LogRange range) {
        return Optional.ofNullable(streams.get(query.stream().emitter()))
                .flatMap(stream -> stream.contradiction(range));
    }

    int silentStreams() {
        return (int) streams.values().stream()
                .filter(stream -> stream.liveness().isGivenUp())
                .count();
    }

    long firstMillis() {
        return firstMillis;
    }

    long lastMillis() {
        return lastMillis;
    }

    long sizeBytes() {
        return streams.values().stream().mapToLong(EventStream::sizeBytes).sum();
    }

    int trees() {
        return trees;
    }

    int streams() {
        return streams.size();
    }

    long events() {
        return events;
    }
}
