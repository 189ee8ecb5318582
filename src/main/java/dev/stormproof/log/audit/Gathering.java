package dev.stormproof.log.audit;

import dev.stormproof.log.audit.Beginnings.Beginning;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.Reach.OutOfReachException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Evidence.Homes;
import dev.stormproof.verify.judge.OriginEvidence;
import dev.stormproof.verify.judge.Succession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The records of one stream, as they are gathered from a log. */
final class Gathering {
    private final StreamId stream;
    private final long maxBytes;
    private final List<CheckpointRecord> checkpoints = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private Beginning begin;
    private long bytes;
    private final List<OversizedRecords> unread = new ArrayList<>();

    /** @param maxBytes about how much memory it may take: beyond that it keeps nothing */
    Gathering(StreamId stream, Beginning begin, long maxBytes) {
        this.stream = stream;
        this.begin = begin;
        this.maxBytes = maxBytes;
    }

    void accept(LogRecord record) {
        if (isTooLarge()) {
            return;
        }
        if (record instanceof OversizedRecords passed) {
            unread.add(passed);
            bytes += RecordSizes.of(record);
        } else if (record instanceof Event event && event.emitter() == stream.emitter()) {
            events.add(event);
            bytes += RecordSizes.of(record);
        } else if (record instanceof CheckpointRecord checkpoint
                && checkpoint.checkpoint().stream().equals(stream)) {
            checkpoints.add(checkpoint);
            bytes += RecordSizes.of(record);
        }
        if (isTooLarge()) {
            events.clear();
            checkpoints.clear();
            unread.clear();
        }
    }

    boolean isTooLarge() {
        return bytes > maxBytes;
    }

    /** Takes what lies between an earlier beginning and this one. */
    void prepend(Beginning earlier, Reach reach, SearchedLog log) throws ExpiredRangeException, OutOfReachException {
        if (earlier.offset() >= begin.offset()) {
            return;
        }
        Gathering head = new Gathering(stream, earlier, maxBytes - bytes);
        reach.gather(
                earlier.offset(), begin.offset(), (from, to) -> log.records(stream.emitter(), from, to, head::accept));
        bytes += head.bytes;
        unread.addAll(0, head.unread);
        checkpoints.addAll(0, head.checkpoints);
        events.addAll(0, head.events);
        begin = earlier;
    }

    /** True if anything of the stream lies before a checkpoint. */
    boolean holdsAnythingBefore(CheckpointRecord target) {
        return checkpoints.get(0).offset() < target.offset()
                || (!events.isEmpty() && events.get(0).offset() < target.offset());
    }

    List<Event> window(CheckpointRecord target) {
        Optional<CheckpointRecord> previous = new Succession(checkpoints).predecessorOf(target);
        long after = previous.map(CheckpointRecord::offset).orElse(-1L);
        return between(after, target.offset());
    }

    CheckpointRecord firstOf(CheckpointRecord target) {
        return new Succession(checkpoints).firstOf(target);
    }

    List<Event> between(long after, long before) {
        return events.stream()
                .filter(event -> after < event.offset() && event.offset() < before)
                .toList();
    }

    /**
     * The sequences before an interval whose own interval was not read, or the one before that was not.
     *
     * @param window the events of the interval
     * @param firstSequence where the interval begins
     */
    SortedSet<Long> homeless(List<Event> window, long firstSequence) {
        if (begin.checkpoint().isEmpty() || checkpoints.size() < 2) {
            return new TreeSet<>();
        }
        long readFrom = new Succession(checkpoints)
                .successorOf(checkpoints.get(0))
                .map(second -> Math.min(firstSequence, second.checkpoint().nextSequence()))
                .orElse(firstSequence);
        return window.stream()
                .map(Event::sequence)
                .filter(sequence -> sequence < readFrom)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Beginning begin() {
        return begin;
    }

    long bytesLeft() {
        return maxBytes - bytes;
    }

    Evidence evidence(long endOffset, Homes homes) {
        return new Evidence(
                begin.offset(),
                endOffset,
                begin.logStart(),
                checkpoints,
                events,
                Evidence.Extent.WHOLE,
                homes,
                OriginEvidence.NONE,
                unread);
    }
}
