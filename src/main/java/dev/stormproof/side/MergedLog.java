package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.RecoveryRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.PartitionReader.Bounds;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The log of a partition's events and the one of its checkpoints, as one log. Each checkpoint has the place that its emitter's
 * sequences give it ({@link StreamPlaces}), so that each reader of both logs finds the same.
 *
 * <pre>
 *   side, up to its end ──► events, up to theirs ──► places ──► {@link #reader}: one log
 *                                   │
 *                                   └──► {@link #findings}: what has no place
 * </pre>
 *
 * <p>What has no place is never taken for proven:
 *
 * <ul>
 *   <li>a checkpoint whose events may have expired, or may be on their way: inconclusive
 *   <li>any other record of the side topic: a stray, told with that topic's name and offset. A checkpoint of another partition is
 *       counted alone, for topics may share a side topic
 * </ul>
 *
 * <p>Where the side topic's beginning expired, the merged log begins behind the last place that a checkpoint from before may have had.
 */
public final class MergedLog {
    private static final int MAX_ATTEMPTS = 10;

    private final TopicPartition partition;
    private final TopicPartition side;
    private final Bounds eventBounds;
    private final Bounds sideBounds;
    private final Map<Long, StreamPlaces> streams = new HashMap<>();
    private final List<Unattributed> strays = new ArrayList<>();
    private final List<Statement> expired = new ArrayList<>();
    private final List<Statement> ahead = new ArrayList<>();
    private final List<Statement> placed = new ArrayList<>();
    private final Map<Long, Integer> byOffset = new HashMap<>();
    private final Placement placement;
    private final long begin;
    private long elsewhere;
    private long lastHeld;
    private long cleanedEnd;

    /**
     * Reads both logs once, and places the checkpoints.
     *
     * @param events reads the events' partition
     * @param side reads the side topic's, for checkpoints of the events' partition
     */
    public static MergedLog of(
            TopicPartition eventPartition, PartitionReader events, TopicPartition sidePartition, PartitionReader side) {
        for (int attempts = 1; ; attempts++) {
            try {
                return new MergedLog(eventPartition, events, sidePartition, side);
            } catch (ExpiredRangeException e) {
                if (attempts >= MAX_ATTEMPTS) {
                    throw new TimeoutException("records expire faster than they can be read: " + e.getMessage(), e);
                }
            }
        }
    }

    private MergedLog(
            TopicPartition partition, PartitionReader events, TopicPartition sidePartition, PartitionReader sideLog)
            throws ExpiredRangeException {
        this.partition = partition;
        this.side = sidePartition;
        // What a checkpoint states was sent before it: so its topic's end is asked for first.
        this.sideBounds = ordered(sideLog.bounds());
        this.eventBounds = ordered(events.bounds());
        this.lastHeld = eventBounds.begin() - 1;
        sideLog.scan(sideBounds.begin(), sideBounds.end(), (record, leaderEpoch, millis, content) -> {
            state(record);
            return true;
        });
        events.scan(eventBounds.begin(), eventBounds.end(), (record, leaderEpoch, millis, content) -> {
            hold(record);
            return true;
        });
        holdUpTo(eventBounds.end());
        streams.values().forEach(stream -> stream.end(eventBounds.end()));
        this.begin = Math.max(eventBounds.begin(), firstKnown());
        streams.values().forEach(this::place);
        placed.sort(Comparator.comparingLong((Statement statement) -> statement.place)
                .thenComparingLong(statement -> statement.sideOffset));
        for (int index = 0; index < placed.size(); index++) {
            byOffset.put(placed.get(index).sideOffset, index);
        }
        this.placement = new Placement(sideBounds.begin(), placed);
    }

    private static Bounds ordered(Bounds bounds) {
        return new Bounds(Math.min(bounds.begin(), bounds.end()), bounds.end(), bounds.written());
    }

    private void state(LogRecord record) {
        if (record instanceof CheckpointRecord found && found.checkpoint() instanceof Format2Checkpoint) {
            streams.computeIfAbsent(found.checkpoint().stream().emitter(), emitter -> new StreamPlaces())
                    .add(new Statement(found));
        } else if (record instanceof UnattributedRecord other && other.kind() == Kind.MISPLACED_CHECKPOINT) {
            elsewhere++;
        } else {
            stray(asStray(record));
        }
    }

    private Unattributed asStray(LogRecord record) {
        PartitionId there = new PartitionId(side.topic(), side.partition());
        if (record instanceof OversizedRecords unread) {
            return Unattributed.of(there, unread);
        }
        // guard: event-in-the-side-topic-is-no-event: record instanceof UnattributedRecord other
        return record instanceof UnattributedRecord other
                ? Unattributed.of(there, other)
                : new Unattributed(
                        there,
                        record.offset(),
                        record instanceof Event ? Kind.UNSIGNED : Kind.UNSUPPORTED,
                        record instanceof Event
                                ? "an event, in the topic of checkpoints"
                                : "a checkpoint that no emitter writes to a topic of checkpoints",
                        record.writtenMillis());
    }

    private void stray(Unattributed stray) {
        int last = strays.size() - 1;
        if (last >= 0 && strays.get(last).kind() == stray.kind()) {
            strays.set(last, strays.get(last).and(stray));
        } else {
            strays.add(stray);
        }
    }

    private void hold(LogRecord record) {
        holdUpTo(record instanceof OversizedRecords unread ? unread.firstOffset() : record.offset());
        lastHeld = record.offset();
        if (record instanceof Event event && event.emitter() != StreamId.NO_EMITTER) {
            StreamPlaces stream = streams.get(event.emitter());
            if (stream != null) {
                stream.take(event);
            }
        }
    }

    /** Notes that nothing lies between the last record and an offset. */
    private void holdUpTo(long offset) {
        cleanedEnd = offset > lastHeld + 1 ? offset : cleanedEnd;
    }

    /** Where the first event stands of which all checkpoints are there. */
    private long firstKnown() {
        return sideBounds.begin() == 0
                ? 0
                : streams.values().stream()
                        .mapToLong(StreamPlaces::missingPlace)
                        .max()
                        .orElse(0);
    }

    private void place(StreamPlaces stream) {
        for (Statement statement : stream.statements()) {
            if (eventBounds.begin() > 0 && stream.mayHaveExpired(statement)) {
                expired.add(statement);
            } else if (stream.mayBeOnTheWay(statement)) {
                ahead.add(statement);
                // guard: merged-log-begins-where-checkpoints-are-known: true
            } else if (statement.place >= begin) {
                placed.add(statement);
            }
        }
    }

    /** The offset among the events at which the merged log begins. */
    public long begin() {
        return begin;
    }

    /** The offset among the events at which it ends. */
    public long end() {
        return eventBounds.end();
    }

    /** The offset in the merged log of what stands at an offset among the events. */
    public long mergedBegin() {
        return placement.begin(begin);
    }

    /** The offset at which the merged log ends. */
    public long mergedEnd() {
        return placement.begin(eventBounds.end()) + behind();
    }

    private int behind() {
        return placement.count() - placement.firstFrom(placement.begin(eventBounds.end()));
    }

    /**
     * The offset in the merged log before which compaction may have taken events: behind the last offset at which nothing lies. 0 if each
     * offset has its record.
     */
    public long cleanedEnd() {
        return cleanedEnd == 0 ? 0 : placement.ofEvent(cleanedEnd);
    }

    /** How many checkpoints of other partitions lie in the side topic's. */
    public long elsewhere() {
        return elsewhere;
    }

    /** A reader of the merged log, over readers that nobody else uses; what it throws if a log is another one now says so. */
    public PartitionReader reader(PartitionReader events, PartitionReader sideLog) {
        return new MergedReader(this, events, new SideLog(sideLog, sideBounds.end()));
    }

    /** Tells findings on the merged log in the terms of both logs. */
    public Told told() {
        return new Told(partition, side, placement, placed);
    }

    /** The findings on what has no place in the merged log. */
    public List<Finding> findings(PartitionReader sideLog) {
        SideLog log = new SideLog(sideLog, sideBounds.end());
        List<Finding> findings = new ArrayList<>(strays);
        for (Statement statement : expired) {
            CheckpointRecord record = read(log, statement);
            tellIfUnlisted(record, findings);
            if (statement.statesEvents()) {
                findings.add(new Inconclusive(
                        intervalAt(record, eventBounds.begin()),
                        Reason.EXPIRED,
                        "the log of events begins behind what it states: that expired, or was lost before"));
            }
        }
        for (Statement statement : ahead) {
            CheckpointRecord record = read(log, statement);
            tellIfUnlisted(record, findings);
            findings.add(new Inconclusive(
                    intervalAt(record, eventBounds.end()),
                    Reason.UNCERTAIN,
                    "it is ahead of its events: none of its stream from sequence " + (statement.next - 1)
                            + " on is there yet, and its stream is not closed"));
        }
        return findings;
    }

    private void tellIfUnlisted(CheckpointRecord record, List<Finding> findings) {
        if (record.unlisted()) {
            findings.add(Told.inSide(side, record.offset(), Unattributed.unlisted(record)));
        }
    }

    private CheckpointRecord read(SideLog log, Statement statement) {
        try {
            return whole(log, statement);
        } catch (ExpiredRangeException e) {
            throw new TimeoutException("records of " + side + " expired while they were read: run it again", e);
        }
    }

    /** The checkpoint of a statement; throws if another record lies there now. */
    CheckpointRecord whole(SideLog log, Statement statement) throws ExpiredRangeException {
        return log.at(statement.sideOffset)
                // guard: side-topic-that-changed-ends-the-audit: true
                .filter(record -> record.chainHash().equals(statement.chainHash))
                .orElseThrow(() -> new ChangedLogException(side + " was written anew while it was read: at offset "
                        + statement.sideOffset + " lies another record now; run it again"));
    }

    private static SealedInterval intervalAt(CheckpointRecord record, long place) {
        return Told.at(SealedInterval.of(record), place);
    }

    Placement placement() {
        return placement;
    }

    Statement placed(int index) {
        return placed.get(index);
    }

    TopicPartition partition() {
        return partition;
    }

    /** A log's record as it lies in the merged log. */
    LogRecord moved(LogRecord record) {
        long offset = placement.ofEvent(record.offset());
        if (record instanceof Event event) {
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    event.stated(),
                    event.observed(),
                    event.content(),
                    event.writtenMillis());
        }
        if (record instanceof CheckpointRecord inside) {
            return at(inside, offset, hint -> placement.ofEvent(hint));
        }
        if (record instanceof RecoveryRecord recovery) {
            return new RecoveryRecord(at(recovery.statement(), offset, hint -> placement.ofEvent(hint)));
        }
        if (record instanceof OversizedRecords unread) {
            return new OversizedRecords(
                    placement.ofEvent(unread.firstOffset()),
                    offset,
                    unread.count(),
                    unread.detail(),
                    unread.writtenMillis());
        }
        UnattributedRecord other = (UnattributedRecord) record;
        return new UnattributedRecord(offset, other.kind(), other.detail(), other.writtenMillis());
    }

    /** The checkpoint of the side topic as it lies in the merged log. */
    CheckpointRecord moved(CheckpointRecord record, int index) {
        return at(record, placement.of(index), this::ofSide);
    }

    /** Where a record of the side topic lies in the merged log, as a hint; what is not there is before it, or unknown. */
    private long ofSide(long sideOffset) {
        Integer index = byOffset.get(sideOffset);
        if (index != null) {
            return placement.of(index);
        }
        return sideOffset == 0 ? 0 : Math.max(0, mergedBegin() - 1);
    }

    private static CheckpointRecord at(
            CheckpointRecord record, long offset, LongUnaryOperator hints) {
        long hint = record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.previousOffsetHint() : -1;
        return new CheckpointRecord(
                offset,
                // guard: hints-are-of-the-merged-log: false
                record.checkpoint() instanceof Format2Checkpoint sealed && hint >= 0
                        ? sealed.hintingAt(hints.applyAsLong(hint))
                        : record.checkpoint(),
                record.chainHash(),
                record.writtenMillis(),
                record.unlisted());
    }
}
