package dev.stormproof.audit;

import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.Evidence;
import dev.stormproof.verify.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gathers from the log what a judge needs: the stream's records in an interval, in the one before, and in what follows.
 *
 * <p>The beginning is found by what the tracker saw, by the checkpoint's own hint, or by scanning back. Hints are never
 * trusted: the record that one points to must be the predecessor, and everything from there on is read.
 */
public final class Auditor {
    /** How far back from a stream's first checkpoint its events are looked for, in offsets. */
    private static final long BEFORE_THE_BEGINNING = 10_000;

    private static final long FIRST_STEP_BACK = 1_024;

    /** How far an interval's neighbour is looked for without a hint, in offsets. */
    private static final long MAX_SCAN_FOR_NEIGHBOUR = 65_536;

    /** How many intervals back the home of an event is looked for. */
    private static final int MAX_INTERVALS_BACK = 16;

    private final PartitionReader reader;

    public Auditor(PartitionReader reader) {
        this.reader = reader;
    }

    /** What the log holds of an interval and its neighbours. */
    public Evidence audit(AuditTask.OfInterval task) throws ExpiredRangeException {
        Observation observation = task.observation();
        CheckpointRecord target = observation.record();
        Beginning own = beginningOf(target, observation.previousCheckpointOffset(), reader.beginOffset());
        Beginning begin = oneIntervalBack(own);
        Evidence evidence = read(target, begin, task.endOffset());
        for (int back = 1; back < MAX_INTERVALS_BACK && looksBack(evidence, own); back++) {
            Beginning further = oneIntervalBack(begin);
            if (further.offset() == begin.offset()) {
                break;
            }
            begin = further;
            evidence = read(target, begin, task.endOffset());
        }
        return evidence;
    }

    /** True if the log ends, now, where the task begins. */
    public boolean audit(AuditTask.OfTail task) throws ExpiredRangeException {
        long end = reader.endOffset();
        long[] count = new long[1];
        if (task.beginOffset() < end) {
            reader.read(Math.max(task.beginOffset(), reader.beginOffset()), end, record -> count[0]++);
        }
        return count[0] == 0;
    }

    /** The checkpoints and strays of a range, as far as the log still holds it. */
    public AuditTask.OfHole.Found audit(AuditTask.OfHole task) throws ExpiredRangeException {
        List<LogRecord> found = new ArrayList<>();
        long begin = Math.min(task.endOffset(), Math.max(task.beginOffset(), reader.beginOffset()));
        if (begin < task.endOffset()) {
            reader.read(begin, task.endOffset(), record -> {
                if (record instanceof CheckpointRecord || record instanceof StrayRecord) {
                    found.add(record);
                }
            });
        }
        return new AuditTask.OfHole.Found(begin, found);
    }

    /** Where the records before a checkpoint begin: behind its predecessor, or where the log does. */
    private record Beginning(long offset, boolean logStart, Optional<CheckpointRecord> checkpoint) {}

    private Evidence read(CheckpointRecord target, Beginning begin, long endOffset) throws ExpiredRangeException {
        StreamId stream = target.checkpoint().stream();
        List<CheckpointRecord> checkpoints = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        reader.read(begin.offset(), endOffset, record -> {
            if (record instanceof Event event && event.emitter() == stream.emitter()) {
                events.add(event);
            } else if (record instanceof CheckpointRecord checkpoint
                    && checkpoint.checkpoint().stream().equals(stream)) {
                checkpoints.add(checkpoint);
            }
        });
        return new Evidence(begin.offset(), endOffset, begin.logStart(), checkpoints, events);
    }

    /** True if the interval holds an event of an earlier one that was not read. */
    private static boolean looksBack(Evidence evidence, Beginning own) {
        return evidence.checkpoints().get(0).checkpoint() instanceof Format2Checkpoint first
                && evidence.events().stream()
                        .anyMatch(event -> event.offset() > own.offset()
                                && event.sequence() >= 0
                                && event.sequence() < first.nextSequence());
    }

    /** The beginning of the interval before one, if it is near enough. */
    private Beginning oneIntervalBack(Beginning begin) throws ExpiredRangeException {
        Optional<CheckpointRecord> before = begin.checkpoint();
        if (before.isEmpty()) {
            return begin;
        }
        long nearest = Math.max(reader.beginOffset(), before.get().offset() - MAX_SCAN_FOR_NEIGHBOUR);
        Beginning found = beginningOf(before.get(), -1, nearest);
        boolean beginningOfStream =
                before.get().checkpoint() instanceof Format2Checkpoint sealed && sealed.number() == 0;
        return found.checkpoint().isPresent() || found.logStart() || beginningOfStream ? found : begin;
    }

    private Beginning beginningOf(CheckpointRecord target, long seenAt, long nearest) throws ExpiredRangeException {
        long logBegin = reader.beginOffset();
        if (target.checkpoint() instanceof Format2Checkpoint sealed) {
            if (sealed.number() == 0) {
                long begin = Math.max(logBegin, target.offset() - BEFORE_THE_BEGINNING);
                return new Beginning(begin, begin == logBegin, Optional.empty());
            }
            for (long hint : new long[] {seenAt, sealed.previousOffsetHint()}) {
                Optional<CheckpointRecord> found = predecessorAt(hint, target, sealed, logBegin);
                if (found.isPresent()) {
                    return new Beginning(found.get().offset(), false, found);
                }
            }
        }
        return scanBack(target, nearest, logBegin);
    }

    private Optional<CheckpointRecord> predecessorAt(
            long hint, CheckpointRecord target, Format2Checkpoint sealed, long logBegin) throws ExpiredRangeException {
        if (hint < logBegin || hint >= target.offset()) {
            return Optional.empty();
        }
        return lastCheckpoint(sealed.stream(), hint, hint + 1)
                .filter(record -> record.checkpoint() instanceof Format2Checkpoint previous
                        && previous.number() == sealed.number() - 1
                        && record.chainHash().equals(sealed.previousHash()));
    }

    private Beginning scanBack(CheckpointRecord target, long nearest, long logBegin) throws ExpiredRangeException {
        long end = target.offset();
        for (long step = FIRST_STEP_BACK; end > nearest; step *= 2) {
            long begin = Math.max(nearest, end - step);
            Optional<CheckpointRecord> found = lastCheckpoint(target.checkpoint().stream(), begin, end);
            if (found.isPresent()) {
                return new Beginning(found.get().offset(), false, found);
            }
            end = begin;
        }
        return new Beginning(nearest, nearest == logBegin, Optional.empty());
    }

    private Optional<CheckpointRecord> lastCheckpoint(StreamId stream, long begin, long end)
            throws ExpiredRangeException {
        CheckpointRecord[] last = new CheckpointRecord[1];
        reader.read(begin, end, record -> {
            if (record instanceof CheckpointRecord checkpoint
                    && checkpoint.checkpoint().stream().equals(stream)) {
                last[0] = checkpoint;
            }
        });
        return Optional.ofNullable(last[0]);
    }
}
