package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfLastCheckpoints;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.fold.PendingIntervals.Entry;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fold over the log of one partition: takes it record by record and makes findings.
 *
 * <pre>
 *   record ─┬─ event ──────────► its stream
 *           ├─ unattributed ───► finding, as of a checkpoint whose emitter may not write here
 *           ├─ unread ─────────► finding; any stream's open interval may hold it, so that the log is read to judge
 *           └─ checkpoint ─────► its stream ──trusted and as seen──► Verified(match)
 *                                   │ any other
 *                                   ▼
 *                                pending ──the log──► judge ──► Verified(log), Violated, Inconclusive, repetition
 *                                   ▲                   │ provisional
 *                                   └── the stream goes on, or ends
 *   truncated(c) ─► as a restart would, in place: on from the progress or from c, whichever is less
 *   expired(e)   ─► [progress, e) is a finding; begins anew at e
 *   caught up    ─► overdue streams are given up
 * </pre>
 *
 * <p>An interval that waits for the log holds its partition's progress back, and nothing else. Owned by one thread.
 */
final class LogFold implements LogSink {
    /** How many offsets before a cut are searched for the streams' last checkpoints. */
    private static final long MAX_SCAN_BEFORE_A_CUT = 65_536;

    private final PartitionId partition;
    private final InactivityTimeouts timeouts;
    private final Bounds bounds;
    private final Streams streams;
    private final PendingIntervals pending = new PendingIntervals();
    private final PromisesBefore promisesBefore;
    /** Streams that made room for others while one of their checkpoints was not judged. */
    private final Map<Long, EventStream> evicted = new HashMap<>();

    private final ProvenCheckpoints evictedProven = new ProvenCheckpoints();
    private final List<Finding> findings = new ArrayList<>();
    private final UnattributedGroups groups = new UnattributedGroups(findings::add);
    private final Set<Long> lookBack = new HashSet<>();
    private final Map<Long, OfTail> tails = new HashMap<>();
    private final Set<OfTail> askedTails = new HashSet<>();
    private @Nullable OfLastCheckpoints lookingBack;
    private long next;
    private long readBeforeTruncation;
    private long events;
    private long firstMillis = LogRecord.NO_TIME;
    private long lastMillis = LogRecord.NO_TIME;
    /** Where the gap-free reading began. Nothing is known of the records before. */
    private long readSince;

    /** True if records were not read that may belong to streams that appear later. */
    private boolean hasPassedUnread;

    LogFold(String topic, int partition, long beginOffset, InactivityTimeouts timeouts, Bounds bounds) {
        this.partition = new PartitionId(topic, partition);
        this.timeouts = timeouts;
        this.bounds = bounds;
        this.streams = new Streams(topic, partition, bounds.streams(), this::evict);
        this.promisesBefore = new PromisesBefore(bounds.streams());
        this.next = beginOffset;
        this.readSince = beginOffset;
    }

    @Override
    public void take(Read read) {
        record(read.record());
    }

    @Override
    public boolean takesContent() {
        return false;
    }

    void record(LogRecord record) {
        next = record.offset() + 1;
        lastMillis = record.writtenMillis() < 0 ? lastMillis : record.writtenMillis();
        firstMillis = firstMillis < 0 ? lastMillis : firstMillis;
        if (record instanceof Event event) {
            events++;
            stream(event.emitter()).add(event);
        } else if (record instanceof CheckpointRecord checkpoint) {
            tellIfUnlisted(checkpoint);
            checkpoint(checkpoint);
        } else if (record instanceof OversizedRecords unread) {
            groups.add(StrayRecord.of(partition, unread));
            hasPassedUnread = true;
            streams.passUnread(unread.offset());
            evicted.values().forEach(stream -> stream.passUnread(unread.offset()));
        } else {
            groups.add(StrayRecord.of(partition, (UnattributedRecord) record));
        }
        groups.passed(record);
    }

    @Override
    public long truncated(long offset) {
        long from = Math.min(progressOffset(), offset);
        readBeforeTruncation = Math.min(Math.max(next, readBeforeTruncation), offset);
        publishFinal(pending.clear(offset));
        streams.rewind(from);
        beginAt(from);
        // The cut may have taken a stream's last checkpoint, and with it all that was known of the one before.
        promisesBefore.expect(Promises.since(Math.max(0, from - MAX_SCAN_BEFORE_A_CUT)), from);
        return from;
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        long from = Math.min(progressOffset(), beginOffset);
        if (from < endOffset) {
            findings.add(new MissedRecords(partition, from, endOffset));
        }
        groups.end();
        publishFinal(pending.clear(0));
        streams.clear();
        beginAt(endOffset);
    }

    @Override
    public void caughtUp(long asOfMillis) {
        // Nothing was cut off, as far as the log shows now.
        pending.askMissing();
        for (EventStream stream : streams.overdue(asOfMillis, timeouts)) {
            boolean judged = !pending.hasUnpublished(stream.id());
            if (stream.lacksCheckpoint()) {
                lookBack.add(stream.id().emitter());
            } else if (judged && stream.hasTail()) {
                tails.putIfAbsent(stream.id().emitter(), stream.tail(next));
            } else if (judged) {
                givenUp(stream.id(), stream.giveUpInactive());
            }
        }
    }

    @Override
    public int room() {
        // What is open is decided by what follows: reading does not wait for it.
        int asked = pending.size() - pending.open();
        int least = isMissing() ? 1 : 0;
        return Math.max(least, bounds.audits() - asked);
    }

    /** True if a checkpoint is missing, for which the log must be read to its end. */
    boolean isMissing() {
        return pending.misses();
    }

    /**
     * Judges an interval by what the log holds.
     *
     * @return true if the checkpoint is no longer in its place: the log may have been truncated, and must be read
     */
    boolean judge(OfInterval task, Evidence evidence) {
        Optional<Entry> asked = pending.answered(task);
        if (asked.isEmpty()) {
            return false;
        }
        Entry entry = asked.get();
        Optional<Finding> judged = task.judge(evidence).map(Violated::told);
        if (judged.isEmpty()) {
            if (pending.miss(entry)) {
                return true;
            }
            judged = entry.published().isPresent() ? judged : Optional.of(gone(entry.interval, task.chainHash()));
        }
        long emitter = entry.interval.stream().emitter();
        EventStream stream = streams.get(emitter) == null ? evicted.get(emitter) : streams.get(emitter);
        if (judged.orElse(null) instanceof Verified) {
            long proven = stream == null ? EventStream.NONE : stream.provenBefore(entry.checkpoint);
            if (proven > task.earlier().sealedOffset()) {
                pending.askAgain(entry, proven);
                return false;
            }
            if (pending.hold(entry)) {
                return false;
            }
        }
        inform(streams.get(emitter), entry, judged.orElse(null), evidence);
        inform(evicted.get(emitter), entry, judged.orElse(null), evidence);
        if (judged.isPresent() && judged.get() instanceof Violated violated && violated.provisional()) {
            publishProvisional(entry, violated, evidence);
        } else {
            publishFinal(entry, judged, evidence);
        }
        Optional.ofNullable(streams.get(emitter)).ifPresent(this::settle);
        giveUpEvicted(emitter);
        return false;
    }

    private static Finding gone(IntervalId interval, Hash statement) {
        return new Inconclusive(
                interval.statedBy(statement), Inconclusive.Reason.EXPIRED, "the log holds its checkpoint no more");
    }

    /** The next query for the records after a last checkpoint. */
    Optional<OfTail> nextTail() {
        return tails.isEmpty()
                ? Optional.empty()
                : tails.values().stream().filter(askedTails::add).findFirst();
    }

    /**
     * Judges the events after a last checkpoint: those below the end of a closing one by the log; all others are unsealed, and
     * violated already if their content contradicts their headers.
     */
    void judgeTail(OfTail task, Evidence evidence) {
        EventStream stream = streams.get(task.interval().stream().emitter());
        boolean expected =
                askedTails.remove(task) && tails.remove(task.interval().stream().emitter(), task);
        if (!expected || stream == null || stream.isGivenUp() || stream.tailOffset() != task.lastOffset()) {
            return;
        }
        Optional<Finding> violated = task.judge(evidence).map(Violated::told);
        violated.ifPresent(findings::add);
        boolean closed = stream.isClosedAt(task.lastOffset());
        if (closed && violated.isPresent() && violated.get().revision() == Finding.FINAL_REVISION) {
            if (stream.judgedUpTo(task.endOffset())) {
                givenUp(stream.id(), counted(stream.giveUp("behind the closing checkpoint"), task, evidence));
            }
            return;
        }
        Optional<Inconclusive> unsealed =
                closed ? stream.giveUp("behind the closing checkpoint") : stream.giveUpInactive();
        givenUp(stream.id(), violated.isPresent() ? Optional.empty() : counted(unsealed, task, evidence));
    }

    /** The finding on what is unsealed, with what the log shows of it, unless more came since it was asked. */
    private static Optional<Inconclusive> counted(Optional<Inconclusive> unsealed, OfTail task, Evidence evidence) {
        return unsealed.map(finding -> finding.interval().checkpointOffset() < task.endOffset()
                ? new Inconclusive(
                        Judge.counted(finding.interval(), task.lastOffset(), evidence),
                        finding.reason(),
                        finding.detail())
                : finding);
    }

    void learn(CheckpointRecord record) {
        if (record.offset() < readSince) {
            stream(record.checkpoint().stream().emitter()).learn(record);
        }
    }

    /** The streams whose last checkpoints are to be searched; empty during a search. */
    Optional<OfLastCheckpoints> nextLookBack() {
        if (lookingBack != null || lookBack.isEmpty()) {
            return Optional.empty();
        }
        lookingBack = new OfLastCheckpoints(next, readSince, lookBack);
        return Optional.of(lookingBack);
    }

    /** Takes the last checkpoints of streams with events only. */
    @SuppressWarnings("ReferenceEquality") // An equal task of before a truncation does not count.
    void learnLast(OfLastCheckpoints task, List<CheckpointRecord> found) {
        if (task != lookingBack) {
            return;
        }
        lookingBack = null;
        lookBack.removeAll(task.emitters());
        for (long emitter : task.emitters()) {
            Optional.ofNullable(streams.get(emitter)).ifPresent(EventStream::lookedBack);
        }
        for (CheckpointRecord record : found) {
            EventStream stream = streams.get(record.checkpoint().stream().emitter());
            if (stream != null) {
                stream.learn(record);
            }
        }
    }

    void abandon() {
        groups.end();
        long progress = progressOffset();
        long read = Math.max(next, readBeforeTruncation);
        if (progress < read) {
            findings.add(new MissedRecords(partition, progress, read));
        }
        publishFinal(pending.clear(0));
    }

    List<Finding> drainFindings() {
        List<Finding> drained = List.copyOf(findings);
        findings.clear();
        return drained;
    }

    long progressOffset() {
        long held = Math.min(groups.firstOffset(), pending.firstOffset());
        for (EventStream stream : evicted.values()) {
            held = stream.openSince() == EventStream.NONE ? held : Math.min(held, stream.openSince());
        }
        return Math.min(next, Math.min(streams.openSince(), held));
    }

    long sizeBytes() {
        return streams.sizeBytes(evicted.values()) + pending.sizeBytes();
    }

    long events() {
        return events;
    }

    long firstMillis() {
        return firstMillis;
    }

    long lastMillis() {
        return lastMillis;
    }

    Streams streams() {
        return streams;
    }

    UnattributedGroups groups() {
        return groups;
    }

    PendingIntervals pending() {
        return pending;
    }

    PromisesBefore promisesBefore() {
        return promisesBefore;
    }

    /** Reports an emitter that may not write here. Its checkpoints are judged all the same. */
    private void tellIfUnlisted(CheckpointRecord record) {
        if (record.unlisted()) {
            groups.add(StrayRecord.unlisted(record));
        }
    }

    private void checkpoint(CheckpointRecord record) {
        StreamId id = record.checkpoint().stream();
        EventStream stream = stream(id.emitter());
        if (stream.isRepeatedBy(record)) {
            findings.add(StrayRecord.repetition(record));
            return;
        }
        pending.goesOn(id, record.offset());
        long unknownBefore = stream.hadCheckpoint() ? record.offset() : readSince;
        EventStream.Sealed sealed = stream.seal(record, readSince == 0);
        if (sealed.matches()) {
            findings.add(new Verified(IntervalId.of(record), Basis.MATCH, sealed.firstOffset()));
            settle(stream);
        } else {
            pending.add(sealed, unknownBefore);
        }
    }

    private void settle(EventStream stream) {
        if (!pending.hasUnpublished(stream.id())) {
            stream.settled();
        }
    }

    private void inform(@Nullable EventStream stream, Entry entry, @Nullable Finding judged, Evidence evidence) {
        if (stream == null) {
            return;
        }
        if (judged == null || judged instanceof StrayRecord) {
            stream.reject(entry.checkpoint.offset());
            if (stream.lacksCheckpoint()) {
                lookBack.add(stream.id().emitter());
            }
        } else if (evidence.extent() == Evidence.Extent.MAYBE_A_COPY) {
            stream.unconfirm(entry.checkpoint.offset());
        } else if (judged instanceof Inconclusive inconclusive && inconclusive.sawNothing()) {
            stream.undecided(entry.checkpoint);
        } else {
            stream.confirm(entry.checkpoint, evidence.checkpoints());
        }
    }

    private void publishProvisional(Entry entry, Violated violated, Evidence evidence) {
        if (entry.published().isEmpty()) {
            findings.add(violated);
        }
        pending.published(entry, violated, evidence.beginOffset());
        EventStream stream = streams.get(entry.interval.stream().emitter());
        if (stream == null || !stream.await()) {
            pending.ends(entry, next);
        }
        if (pending.open() > bounds.streams() + bounds.audits()) {
            pending.endOldest(next);
        }
    }

    /**
     * Keeps a provisional verdict if its evidence has expired since, or has become too much to compare; but events that came
     * late are not lost.
     */
    private void publishFinal(Entry entry, Optional<Finding> judged, Evidence evidence) {
        boolean tooLarge = evidence.extent() == Evidence.Extent.TOO_LARGE;
        Optional<Finding> standing = entry.published()
                .filter(violated -> judged.isEmpty() || tooLarge || evidence.beginOffset() > entry.publishedBegin())
                .map(violated -> withLatecomers(violated, judged))
                .map(Violated::asFinal);
        standing.or(() -> judged).ifPresent(findings::add);
        pending.remove(entry);
    }

    private static Violated withLatecomers(Violated published, Optional<Finding> judged) {
        return judged.orElse(null) instanceof Violated later ? published.withLatecomers(later) : published;
    }

    private void publishFinal(List<Violated> provisional) {
        provisional.forEach(violated -> findings.add(violated.asFinal()));
    }

    private void givenUp(StreamId stream, Optional<Inconclusive> unsealed) {
        unsealed.ifPresent(findings::add);
        pending.ends(stream, next);
    }

    /** Notes that a stream made room for another; its open events are known once its last checkpoints are judged. */
    private void evict(EventStream stream) {
        // Should it come back behind that, its records in between are unknown.
        readSince = next;
        evicted.put(stream.id().emitter(), stream);
        evictedProven.keep(stream.id().emitter(), stream.proven());
        giveUpEvicted(stream.id().emitter());
    }

    private void giveUpEvicted(long emitter) {
        EventStream stream = evicted.get(emitter);
        if (stream != null && !pending.hasUnpublished(stream.id())) {
            evicted.remove(emitter);
            evictedProven.keep(emitter, stream.proven());
            giveUpForRoom(stream);
        }
    }

    private void giveUpForRoom(EventStream stream) {
        boolean owing = stream.openSince() != EventStream.NONE || stream.promisedAt() != EventStream.NONE;
        givenUp(
                stream.id(),
                owing ? stream.giveUp("more than " + bounds.streams() + " streams at once") : Optional.empty());
    }

    private void beginAt(long offset) {
        next = offset;
        readSince = offset;
        groups.clear();
        lookBack.clear();
        lookingBack = null;
        tails.clear();
        askedTails.clear();
        evicted.clear();
        evictedProven.truncate(offset);
    }

    private EventStream stream(long emitter) {
        EventStream waiting = evicted.isEmpty() ? null : evicted.remove(emitter);
        if (waiting != null) {
            streams.add(waiting);
            return waiting;
        }
        EventStream stream = streams.of(emitter, readSince == 0 && !hasPassedUnread, next - 1);
        LastCheckpoint known = evictedProven.take(emitter);
        if (known != null) {
            stream.prove(known);
        }
        return stream;
    }
}
