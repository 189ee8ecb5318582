package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.RangeCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of one stream in a range of the log, and the tree over those between the head and the checkpoint to judge. If they are
 * too many to be kept, the tree is all that is known.
 *
 * <p>Filled by one thread, then read by another.
 */
public final class LogRange implements RangeCase.Range {
    private final RangeQuery query;
    private final long beginOffset;
    private final List<CheckpointRecord> checkpoints = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<OversizedRecords> unread = new ArrayList<>();
    /** The unsigned records of the interval, as events of the stream without header and sequence. */
    private final List<Event> headerless = new ArrayList<>();

    private final OpenEvents own;
    private @Nullable CheckpointRecord target;
    private @Nullable Checkpoint last;
    private boolean tooLarge;
    private RangeCase.Origin origin = RangeCase.Origin.NONE;

    /** @param beginOffset where the reading begins: where the query says, or where the log begins by now */
    public LogRange(RangeQuery query, long beginOffset) {
        this.query = query;
        this.beginOffset = beginOffset;
        this.own = query.stream().emitter() == StreamId.NO_EMITTER
                ? OpenEvents.withoutSequences(true)
                : new OpenEvents(query.firstSequence(), true);
    }

    /**
     * Adds the next record of the partition, in the order of the log.
     *
     * @return false if it is not the stream's
     */
    public boolean add(LogRecord record) {
        boolean inside = isInside(record);
        if (record instanceof Event event) {
            if (event.emitter() != query.stream().emitter()) {
                return false;
            }
            if (inside) {
                own.add(event);
            }
            keep(events, event);
            return true;
        }
        if (record instanceof CheckpointRecord checkpoint) {
            if (!checkpoint.checkpoint().stream().equals(query.stream())) {
                return false;
            }
            last = checkpoint.checkpoint();
            target = checkpoint.offset() == query.ownEnd() ? checkpoint : target;
            keep(checkpoints, checkpoint);
            return true;
        }
        if (record instanceof OversizedRecords records) {
            if (query.ownBegin() <= records.offset() && records.firstOffset() < query.ownEnd()) {
                own.passUnread();
            }
            keep(unread, records);
            return true;
        }
        return false;
    }

    private boolean isInside(LogRecord record) {
        return query.ownBegin() <= record.offset() && record.offset() < query.ownEnd();
    }

    /**
     * Adds an unsigned record, which may be an event of the stream whose header was dropped.
     *
     * @param content makes a copy of its content
     * @return false if nothing shows how the stream's events are signed
     */
    public boolean addUnsigned(UnattributedRecord record, Supplier<RecordContent> content) {
        Checkpoint stated = last;
        if (tooLarge || stated == null || stated.leaves().isEmpty() || !isInside(record)) {
            return false;
        }
        Optional<EventSigner> signer = EventSigners.ofId(stated.signatureAlgorithm());
        signer.ifPresent(by -> {
            RecordContent bytes = content.get();
            headerless.add(new Event(
                    record.offset(),
                    query.stream().emitter(),
                    Event.NO_SEQUENCE,
                    stated.treeHash(),
                    stated.signatureAlgorithm(),
                    Hash.empty(),
                    by.sign(bytes.key(), bytes.value()),
                    Event.Content.UNTRANSFORMED,
                    record.writtenMillis()));
        });
        return signer.isPresent();
    }

    private <R> void keep(List<R> kept, R record) {
        if (!tooLarge) {
            kept.add(record);
        }
    }

    /** Keeps no records any more, since they are too many. */
    public void dropRecords() {
        tooLarge = true;
        checkpoints.clear();
        events.clear();
        headerless.clear();
    }

    /** Has the log of the topic's origin asked about what is violated. */
    public void askOf(RangeCase.Origin asked) {
        origin = asked;
    }

    @Override
    public RangeCase.Origin origin() {
        return origin;
    }

    public RangeQuery query() {
        return query;
    }

    long beginOffset() {
        return beginOffset;
    }

    @Override
    public boolean isTooLarge() {
        return tooLarge;
    }

    /** The checkpoint to judge, if it is in its place. */
    Optional<CheckpointRecord> target() {
        return Optional.ofNullable(target);
    }

    @Override
    public boolean matches(CheckpointRecord record) {
        return own.matches(record);
    }

    @Override
    public long firstOffset() {
        return own.isEmpty() ? query.ownEnd() : own.firstOffset();
    }

    /** The events that are kept. */
    public List<Event> events() {
        return events;
    }

    @Override
    public List<Event> headerless() {
        return headerless;
    }

    @Override
    public List<CheckpointRecord> checkpoints() {
        return checkpoints;
    }

    Optional<CheckpointRecord> at(long offset) {
        return checkpoints.stream().filter(record -> record.offset() == offset).findFirst();
    }

    @Override
    public long unreadAfter(long offset) {
        return unread.stream()
                .filter(records -> offset < records.offset() && records.firstOffset() < query.ownEnd())
                .mapToLong(OversizedRecords::count)
                .sum();
    }

    @Override
    public Evidence evidence(List<CheckpointRecord> counting) {
        return new Evidence(beginOffset, counting, events);
    }
}
