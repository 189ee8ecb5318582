package dev.stormproof.cli.conformance;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cases of one stream: its sequences, its chain, its roots and its end. */
final class StreamCases {
    private static final int NO_POWER_OF_TWO = 3;

    private final int partition;
    private final Results results;
    private final OtherPartitions others;

    /** The events that no checkpoint covers yet, in the order of the log, which is that of their sequences. */
    private List<Event> open = new ArrayList<>();
    /** Sequences after the last checkpoint that have no event. */
    private final List<Gap> gaps = new ArrayList<>();

    private @Nullable CheckpointRecord last;
    /** The next sequence that an event should have. */
    private long expected;
    /** False while a checkpoint may be missing before the next one. */
    private boolean chainKnown;
    /** False while events may be missing before the next checkpoint, or are out of order. */
    private boolean eventsKnown;
    /** True once sequences are wrong: then nothing more can be said of the stream's events. */
    private boolean sequencesBroken;
    /** True from an aborted event on until the stream goes on. */
    private boolean aborted;

    private boolean ended;
    private boolean otherEventSince;
    private boolean sideBySide;

    private record Gap(long begin, long end, long offset, boolean afterAbort) {}

    StreamCases(int partition, Results results, OtherPartitions others, boolean fromBeginning) {
        this.partition = partition;
        this.results = results;
        this.others = others;
        this.chainKnown = fromBeginning;
        this.eventsKnown = fromBeginning;
    }

    /** Something could not be read that may be of this stream. */
    void missing(boolean checkpoint) {
        eventsKnown = false;
        chainKnown &= !checkpoint;
    }

    void aborted() {
        aborted = true;
    }

    /** An event of another stream follows one of this. */
    void otherEvent() {
        otherEventSince = true;
    }

    void event(Event event) {
        if (ended) {
            if (event.sequence() != 0) {
                fail(Case.CLOSING, event.offset(), "nothing after the closing checkpoint", "event " + event.sequence());
                return;
            }
            startedAgain(event.offset(), "event 0");
        }
        sideBySide |= otherEventSince && !open.isEmpty();
        otherEventSince = false;
        if (last != null && event.sequence() < next(last)) {
            if (chainKnown && !sequencesBroken) {
                fail(
                        Case.COVERS,
                        event.offset(),
                        "after checkpoint " + number(last) + ", only events from sequence " + next(last) + " on",
                        "event " + event.sequence());
            }
            return;
        }
        if (event.sequence() < expected) {
            order(event);
            return;
        }
        if (event.sequence() > expected) {
            gaps.add(new Gap(expected, event.sequence(), event.offset(), aborted));
        } else if (eventsKnown) {
            results.pass(expected == 0 ? Case.SEQUENCE_FROM_0 : Case.SEQUENCES_DENSE);
            if (aborted) {
                results.pass(Case.ABORT);
            }
        }
        aborted = false;
        expected = event.sequence() + 1;
        open.add(event);
    }

    private void order(Event event) {
        if (eventsKnown) {
            fail(
                    aborted ? Case.ABORT : Case.SEQUENCES_DENSE,
                    event.offset(),
                    "sequence " + expected,
                    "sequence " + event.sequence());
        }
        aborted = false;
        eventsKnown = false;
        sequencesBroken = true;
    }

    void checkpoint(CheckpointRecord record, Format2Checkpoint checkpoint) {
        if (last != null && ended && checkpoint.closing() && checkpoint.number() == number(last)) {
            statedAgain(record, checkpoint, last);
            return;
        }
        boolean takesPlace = !ended && takesPlace(checkpoint);
        if (last != null && checkpoint.number() == 0 && !takesPlace) {
            startedAgain(record.offset(), "number 0");
        } else if (ended) {
            fail(
                    Case.CLOSING,
                    record.offset(),
                    "nothing after the closing checkpoint but its repetition",
                    "checkpoint " + checkpoint.number());
            return;
        }
        boolean continued = !takesPlace && chainKnown && continues(record, checkpoint);
        if (continued && eventsKnown) {
            covered(record, checkpoint);
        }
        take(record, checkpoint);
        if (checkpoint.closing()) {
            ended = true;
            if (checkpoint.deadlineMillis() > 0) {
                fail(Case.CLOSING, record.offset(), "deadline 0", "deadline " + checkpoint.deadlineMillis() + " ms");
            } else {
                results.pass(Case.CLOSING);
            }
        }
    }

    void end() {
        gaps.clear();
        open = new ArrayList<>();
    }

    private void startedAgain(long offset, String found) {
        fail(Case.NEW_EMITTER_ID, offset, "another emitter id than that of a stream that is there", found);
        last = null;
        ended = false;
        expected = 0;
        gaps.clear();
        open = new ArrayList<>();
        chainKnown = true;
        eventsKnown = true;
        sequencesBroken = false;
    }

    /**
     * True of an end that takes the place of a checkpoint of which its emitter does not know whether it arrived. That may be any since the
     * last one that is known to have; of the last one that came, the predecessor is known.
     */
    private boolean takesPlace(Format2Checkpoint checkpoint) {
        if (last == null || !checkpoint.closing() || checkpoint.eventCount() > 0) {
            return false;
        }
        return checkpoint.number() == number(last)
                ? checkpoint.previousHash().equals(of(last).previousHash())
                : checkpoint.number() < number(last)
                        && checkpoint.firstSequence() <= next(last)
                        && !checkpoint.uncertain().isEmpty();
    }

    /** The end again, of which the emitter did not know whether it arrived. Copies of one record say nothing of it. */
    private void statedAgain(CheckpointRecord record, Format2Checkpoint checkpoint, CheckpointRecord first) {
        if (record.chainHash().equals(first.chainHash())) {
            return;
        }
        String wanted = end(of(first));
        String found = end(checkpoint);
        if (!found.equals(wanted)) {
            fail(Case.CLOSING, record.offset(), "the end as before: " + wanted, found);
            return;
        }
        if (checkpoint.createdAtMillis() <= of(first).createdAtMillis()) {
            fail(
                    Case.CLOSING,
                    record.offset(),
                    "created after " + of(first).createdAtMillis(),
                    "created at " + checkpoint.createdAtMillis());
            return;
        }
        results.pass(Case.CLOSING);
    }

    private static String end(Format2Checkpoint checkpoint) {
        return "first sequence " + checkpoint.firstSequence() + ", " + checkpoint.eventCount() + " events, uncertain "
                + checkpoint.uncertain() + ", root " + checkpoint.root().toHex() + ", previous hash "
                + checkpoint.previousHash().toHex() + ", deadline " + checkpoint.deadlineMillis() + " ms, "
                + made(checkpoint);
    }

    /** True if the checkpoint continues the last one, as far as it is the stream's. */
    private boolean continues(CheckpointRecord record, Format2Checkpoint checkpoint) {
        if (last == null) {
            if (checkpoint.number() != 0) {
                fail(Case.NUMBER_0, record.offset(), "number 0", "number " + checkpoint.number());
                return false;
            }
            results.pass(Case.NUMBER_0);
            return true;
        }
        Format2Checkpoint before = of(last);
        deadline(record, before, checkpoint);
        if (!made(before).equals(made(checkpoint))) {
            fail(Case.STREAM_CONSTANT, record.offset(), made(before), made(checkpoint));
            return false;
        }
        results.pass(Case.STREAM_CONSTANT);
        return link(Case.NUMBER_FOLLOWS, record, "number " + (before.number() + 1), "number " + checkpoint.number())
                && link(
                        Case.FIRST_SEQUENCE,
                        record,
                        "first sequence " + before.nextSequence(),
                        "first sequence " + checkpoint.firstSequence())
                && link(
                        Case.PREVIOUS_HASH,
                        record,
                        "previous hash " + last.chainHash().toHex(),
                        "previous hash " + checkpoint.previousHash().toHex());
    }

    private boolean link(Case rule, CheckpointRecord record, String wanted, String found) {
        if (!found.equals(wanted)) {
            fail(aborted ? Case.ABORT : rule, record.offset(), wanted, found);
            return false;
        }
        results.pass(rule);
        return true;
    }

    private void deadline(CheckpointRecord record, Format2Checkpoint before, Format2Checkpoint checkpoint) {
        if (before.deadlineMillis() == 0) {
            return;
        }
        long after = checkpoint.createdAtMillis() - before.createdAtMillis();
        if (after > before.deadlineMillis()) {
            fail(
                    Case.DEADLINE_MET,
                    record.offset(),
                    "created within " + before.deadlineMillis() + " ms of checkpoint " + before.number(),
                    "created " + after + " ms after it");
        } else if (checkpoint.eventCount() == 0 && !checkpoint.closing()) {
            results.pass(Case.DEADLINE_MET);
        }
    }

    private void covered(CheckpointRecord record, Format2Checkpoint checkpoint) {
        for (Event event : open) {
            if (!event.isMadeAs(checkpoint) || event.stated().sizeBytes() != checkpoint.signatureSizeBytes()) {
                fail(
                        Case.STREAM_CONSTANT,
                        event.offset(),
                        made(checkpoint),
                        "tree hash "
                                + event.treeHash().label() + ", algorithm " + event.signatureAlgorithm()
                                + ", signatures of "
                                + event.stated().sizeBytes() + " bytes");
                return;
            }
        }
        if (!gapsAreStated(checkpoint) || !liesRight(record, checkpoint)) {
            return;
        }
        Hash root = root(checkpoint);
        long count = checkpoint.eventCount();
        boolean other = Long.bitCount(count) > 1 && count >= NO_POWER_OF_TWO;
        if (!root.equals(checkpoint.root())) {
            Case rule =
                    count == 0 ? Case.EMPTY_ROOT : sideBySide ? Case.SIDE_BY_SIDE : other ? Case.TREE_SHAPE : Case.ROOT;
            fail(
                    rule,
                    record.offset(),
                    "root " + root.toHex() + " over " + count + " events from sequence " + checkpoint.firstSequence(),
                    "root " + checkpoint.root().toHex());
            return;
        }
        results.pass(count == 0 ? Case.EMPTY_ROOT : Case.ROOT);
        if (other) {
            results.pass(Case.TREE_SHAPE);
        }
        if (sideBySide) {
            results.pass(Case.SIDE_BY_SIDE);
        }
        if (count > 0 && others.hold(checkpoint.emitterName(), partition)) {
            results.pass(Case.SEVERAL_PARTITIONS);
        }
        if (!checkpoint.uncertain().isEmpty()) {
            results.pass(Case.UNCERTAIN);
        }
        if (count > 0 && checkpoint.leaves().isPresent()) {
            if (checkpoint.leavesMatchRoot()) {
                results.pass(Case.LEAVES);
            } else {
                fail(Case.LEAVES, record.offset(), "the signatures of the events", "leaves of another root");
            }
        }
    }

    private boolean gapsAreStated(Format2Checkpoint checkpoint) {
        for (Gap gap : gaps) {
            if (gap.begin() < checkpoint.nextSequence() && !uncertain(checkpoint, gap.begin(), gap.end())) {
                boolean first = gap.begin() == 0;
                boolean elsewhere = first && others.hold(checkpoint.emitterName(), partition);
                Case rule = gap.afterAbort()
                        ? Case.ABORT
                        : elsewhere ? Case.SEVERAL_PARTITIONS : first ? Case.SEQUENCE_FROM_0 : Case.SEQUENCES_DENSE;
                fail(rule, gap.offset(), "sequence " + gap.begin(), "sequence " + gap.end());
                sequencesBroken = true;
                return false;
            }
        }
        return true;
    }

    /** True if each open event is on the right side of the checkpoint: covered ones before it, others after it. */
    private boolean liesRight(CheckpointRecord record, Format2Checkpoint checkpoint) {
        long next = checkpoint.nextSequence();
        if (expected < next && !uncertain(checkpoint, expected, next)) {
            fail(
                    Case.COVERS,
                    record.offset(),
                    "before it, all events below sequence " + next,
                    "events below sequence " + expected);
            return false;
        }
        if (expected > next) {
            fail(
                    Case.COVERS,
                    record.offset(),
                    "before it, no event from sequence " + next + " on",
                    "event " + (expected - 1));
            return false;
        }
        if (checkpoint.eventCount() > 0) {
            results.pass(Case.COVERS);
        }
        return true;
    }

    /** The root over those of the open events that the checkpoint covers, by the signatures that their headers state. */
    private Hash root(Format2Checkpoint checkpoint) {
        Interval interval = new Interval(checkpoint.treeHash(), checkpoint.firstSequence(), false);
        for (Event event : open) {
            long sequence = event.sequence();
            if (sequence < checkpoint.nextSequence() && !uncertain(checkpoint, sequence, sequence + 1)) {
                interval.add(sequence, event.stated());
            }
        }
        return interval.root();
    }

    private void take(CheckpointRecord record, Format2Checkpoint checkpoint) {
        long next = checkpoint.nextSequence();
        open.removeIf(event -> event.sequence() < next);
        gaps.removeIf(gap -> gap.begin() < next);
        expected = open.isEmpty() ? next : open.get(open.size() - 1).sequence() + 1;
        last = record.withoutLeaves();
        chainKnown = true;
        eventsKnown = !sequencesBroken;
        aborted = false;
        sideBySide = false;
    }

    /** True if all of [begin, end) is uncertain. */
    private static boolean uncertain(Format2Checkpoint checkpoint, long begin, long end) {
        long at = begin;
        for (SequenceRange range : checkpoint.uncertain()) {
            if (range.contains(at)) {
                at = range.end();
            }
        }
        return at >= end;
    }

    private static String made(Format2Checkpoint checkpoint) {
        return "tree hash " + checkpoint.treeHash().label() + ", algorithm " + checkpoint.signatureAlgorithm()
                + ", signatures of " + checkpoint.signatureSizeBytes() + " bytes";
    }

    private static Format2Checkpoint of(CheckpointRecord record) {
        return (Format2Checkpoint) record.checkpoint();
    }

    private static long next(CheckpointRecord record) {
        return of(record).nextSequence();
    }

    private static long number(CheckpointRecord record) {
        return of(record).number();
    }

    private void fail(Case rule, long offset, String wanted, String found) {
        results.fail(rule, partition, offset, wanted, found);
    }
}
