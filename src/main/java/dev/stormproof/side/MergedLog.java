package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
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
 * <p>Where the side topic's beginning expired, the merged log begins behind the last event that a checkpoint from before may have stated.
 */
public final class MergedLog {
    /** How often both logs are read anew, because records expired meanwhile. */
    static final int MAX_ATTEMPTS = 10;

    /** How many checkpoints are placed, each of which takes some 150 bytes. */
    static final int MOST_CHECKPOINTS = 5_000_000;

    /** How many findings on strays are kept. */
    static final int MOST_STRAYS = 10_000;

    private final TopicPartition partition;
    private final TopicPartition side;
    private final int mostCheckpoints;
    private int checkpoints;
    private final Bounds eventBounds;
    private final Bounds sideBounds;
    private final Map<Long, StreamPlaces> streams = new HashMap<>();
    private final List<Unattributed> strays = new ArrayList<>();
    private final List<Statement> expired = new ArrayList<>();
    private final List<Statement> ahead = new ArrayList<>();
    private final List<Statement> placed = new ArrayList<>();
    private final Placement placement;
    private final MergedRecords records;
    private final long begin;
    private long elsewhere;
    private long lastHeld;
    private long cleanedEnd;

    /**
     * Reads both logs once, and places the checkpoints.
     *
     * @param events reads the events' partition
     * @param side reads the side topic's, for checkpoints of the events' partition
     * @throws OversizedLogException if there are too many of them
     */
    public static MergedLog of(
            TopicPartition eventPartition, PartitionReader events, TopicPartition sidePartition, PartitionReader side) {
        return of(eventPartition, events, sidePartition, side, MOST_CHECKPOINTS);
    }

    static MergedLog of(
            TopicPartition eventPartition,
            PartitionReader events,
            TopicPartition sidePartition,
            PartitionReader side,
            int mostCheckpoints) {
        for (int attempts = 1; ; attempts++) {
            try {
                return new MergedLog(eventPartition, events, sidePartition, side, mostCheckpoints);
            } catch (ExpiredRangeException e) {
                if (attempts >= MAX_ATTEMPTS) {
                    throw new TimeoutException("records expire faster than they can be read: " + e.getMessage(), e);
                }
            }
        }
    }

    private MergedLog(
            TopicPartition partition,
            PartitionReader events,
            TopicPartition sidePartition,
            PartitionReader sideLog,
            int mostCheckpoints)
            throws ExpiredRangeException {
        this.partition = partition;
        this.side = sidePartition;
        this.mostCheckpoints = mostCheckpoints;
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
        this.placement = new Placement(sideBounds.begin(), placed);
        this.records = new MergedRecords(partition, placement, placed, begin, eventBounds.end());
    }

    private static Bounds ordered(Bounds bounds) {
        return new Bounds(Math.min(bounds.begin(), bounds.end()), bounds.end(), bounds.written());
    }

    private void state(LogRecord record) {
        if (record instanceof CheckpointRecord found && found.checkpoint() instanceof Format2Checkpoint) {
            checkpoints++;
            if (checkpoints > mostCheckpoints) {
                throw new OversizedLogException(side + " holds more than " + mostCheckpoints + " checkpoints of "
                        + partition + ", and an audit keeps each of them: delete old ones with "
                        + "kafka-delete-records.sh, and have emitters seal longer intervals");
            }
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
        // What lies here heals no loss: it is no event.
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
        int same = last;
        // Beyond the bound those of one kind are told as one, wherever they lie.
        while (strays.size() >= MOST_STRAYS && same > 0 && strays.get(same).kind() != stray.kind()) {
            same--;
        }
        if (last >= 0 && strays.get(same).kind() == stray.kind()) {
            strays.set(same, strays.get(same).and(stray));
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
                        .mapToLong(StreamPlaces::unknownEnd)
                        .max()
                        .orElse(0);
    }

    private void place(StreamPlaces stream) {
        for (Statement statement : stream.statements()) {
            if (eventBounds.begin() > 0 && stream.mayHaveExpired(statement)) {
                expired.add(statement);
            } else if (stream.mayBeOnTheWay(statement)) {
                ahead.add(statement);
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

    /** The offset at which the merged log begins. */
    public long mergedBegin() {
        return records.begin();
    }

    /** The offset at which it ends. */
    public long mergedEnd() {
        return records.end();
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
        return new MergedReader(records, events, newSideLog(sideLog));
    }

    private SideLog newSideLog(PartitionReader sideLog) {
        return new SideLog(side, sideLog, sideBounds.end());
    }

    /** Tells findings on the merged log in the terms of both logs. */
    public Told told() {
        return new Told(partition, side, placement, placed);
    }

    /** The findings on what has no place in the merged log. */
    public List<Finding> findings(PartitionReader sideLog) {
        SideLog log = newSideLog(sideLog);
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
            return log.whole(statement);
        } catch (ExpiredRangeException e) {
            throw new TimeoutException("records of " + side + " expired while they were read: run it again", e);
        }
    }

    private static SealedInterval intervalAt(CheckpointRecord record, long place) {
        return Told.at(SealedInterval.of(record), place);
    }
}
