package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that happened to events, as data.
 *
 * <p>Two anomalies of the same {@link #kind()}, {@link #stream()} and sequences are the same anomaly, even when two
 * intervals name it: an event moved across a checkpoint is missing in one interval and too many in the other.
 *
 * @param kind what happened
 * @param stream the stream that the events belong to
 * @param begin the first sequence; in format 1 the place in the interval, from 0, or -1 if it has none
 * @param end the sequence after the last; {@code begin + 1} for one event
 * @param offset where the event was found; -1 if it was not
 * @param copies how often the event is in the log
 * @param expected the signature that the checkpoint states; empty if it states none
 * @param observed the signature that was found; empty if none was
 * @param differs the parts of an altered record that differ from its checkpoint; empty if that is unknown
 * @param hop where on the way it happened, as far as that is known
 * @param writtenMillis when the record at {@code offset} was written; {@link LogRecord#NO_TIME} if none was found
 * @param neighbours for lost events, the events on both sides of the gap
 */
public record Anomaly(
        Kind kind,
        StreamId stream,
        long begin,
        long end,
        long offset,
        int copies,
        Hash expected,
        Hash observed,
        List<Part> differs,
        Hop hop,
        long writtenMillis,
        Neighbours neighbours)
        implements Serializable {

    public Anomaly {
        differs = List.copyOf(differs);
    }

    /** An anomaly of which no more is known than that the log shows it. */
    public Anomaly(
            Kind kind, StreamId stream, long begin, long end, long offset, int copies, Hash expected, Hash observed) {
        this(
                kind,
                stream,
                begin,
                end,
                offset,
                copies,
                expected,
                observed,
                List.of(),
                Hop.LOG,
                LogRecord.NO_TIME,
                Neighbours.NONE);
    }

    /** The anomaly of one event that was found; the marker of a diverted event is none that was altered. */
    static Anomaly of(Kind named, long begin, Event event, int copies, Hash expected, Checkpoint checkpoint) {
        boolean altered = named == Kind.ALTERED && event.content() != Event.Content.DIVERTED;
        return new Anomaly(
                named == Kind.ALTERED && !altered ? Kind.DIVERTED : named,
                checkpoint.stream(),
                begin,
                begin + 1,
                event.offset(),
                copies,
                expected,
                event.observed(),
                altered ? differing(event, checkpoint, expected) : List.of(),
                Hop.LOG,
                LogRecord.NO_TIME,
                Neighbours.NONE);
    }

    /** A part of an event's record that a checkpoint makes a statement about. Others may be added. */
    public enum Part {
        /** The event header: signature, signature algorithm or tree hash. */
        HEADER,
        /** The header, which is not there at all. */
        HEADER_MISSING,
        /** One of both, or both: the signature is over the two together. */
        KEY_OR_VALUE
    }

    public enum Kind {
        /** Stated by a checkpoint, and not in the log. */
        LOST,
        /** In the log more than once; {@link Anomaly#offset()} is that of the second copy, or of one out of order. */
        DUPLICATED,
        /** Intact, but not in its place. One of a minimal set unless the verdict says otherwise. */
        REORDERED,
        /** In its place with another content. */
        ALTERED,
        /** Missing because the transform failed on it: a marker is in its place, and the event in the topic of diverted events. */
        DIVERTED,
        /** In the log, but stated by no checkpoint that can be read. */
        FOREIGN,
        /** In the log at a wrong place; the checkpoint that may state it has expired, or is before the searched range. */
        OUT_OF_REACH,
        /** The root differs somewhere in [begin, end): a checkpoint of detail {@code root} does not show where. */
        UNLOCATED,
        /**
         * A checkpoint of the stream is missing; [begin, end) are checkpoint numbers. In format 1, which has none, begin is -1, and
         * {@link Anomaly#copies()} events from {@link Anomaly#offset()} on are stated by no checkpoint.
         */
        CHECKPOINT_LOST,
        CHAIN_BROKEN
    }

    /** True if the other is the same anomaly, even in another interval's verdict. */
    public boolean sameAs(Anomaly other) {
        return kind == other.kind && begin == other.begin && end == other.end && stream.equals(other.stream);
    }

    boolean isMissing() {
        return kind == Kind.LOST || kind == Kind.CHECKPOINT_LOST;
    }

    /** How many events and checkpoints are missing, at most 2^63 − 1. */
    static long missing(List<Anomaly> anomalies) {
        long missing = 0;
        for (Anomaly anomaly : anomalies) {
            if (anomaly.isMissing()) {
                missing += Math.min(anomaly.end() - anomaly.begin(), Long.MAX_VALUE - missing);
            }
        }
        return missing;
    }

    Anomaly withCopies(int seen) {
        return copy(begin, end, seen, hop, writtenMillis, neighbours);
    }

    /** The same event as a copy of one that is in its place. */
    Anomaly asCopy() {
        return new Anomaly(Kind.DUPLICATED, stream, begin, end, offset, 2, expected, observed);
    }

    public Anomaly on(Hop known) {
        return copy(begin, end, copies, known, writtenMillis, neighbours);
    }

    /** The same on the hop that what the transform states of its record shows, where no other log is read. */
    Anomaly onHopBy(Event.Content content) {
        return switch (kind) {
            case DIVERTED -> on(Hop.TRANSFORM);
            case ALTERED ->
                switch (content) {
                    case ALTERED -> on(Hop.AFTER_TRANSFORM);
                    case AS_MADE -> on(differs.contains(Part.KEY_OR_VALUE) ? Hop.BEFORE_TRANSFORM : Hop.LOG);
                    default -> on(Hop.LOG);
                };
            default -> on(Hop.LOG);
        };
    }

    Anomaly writtenAt(long millis) {
        return copy(begin, end, copies, hop, millis, neighbours);
    }

    Anomaly between(Neighbours known) {
        return copy(begin, end, copies, hop, writtenMillis, known);
    }

    /** The part [partBegin, partEnd) of a range of sequences or checkpoint numbers, which came about on a hop. */
    public Anomaly part(long partBegin, long partEnd, Hop known) {
        return copy(partBegin, partEnd, copies, known, writtenMillis, neighbours);
    }

    private Anomaly copy(long from, long to, int seen, Hop known, long millis, Neighbours around) {
        return new Anomaly(kind, stream, from, to, offset, seen, expected, observed, differs, known, millis, around);
    }

    /** The part of a range before a sequence or checkpoint number; may be empty. */
    Anomaly before(long limit) {
        return part(begin, Math.max(begin, Math.min(end, limit)), hop);
    }

    /** The parts of an event that differ from its checkpoint, as far as that states its signature. */
    static List<Part> differing(Event event, Checkpoint checkpoint, Hash expected) {
        boolean known = expected.sizeBytes() > 0;
        List<Part> parts = new ArrayList<>();
        if (event.stated().sizeBytes() == 0) {
            parts.add(Part.HEADER_MISSING);
        } else if (!event.isMadeAs(checkpoint) || (known && !expected.equals(event.stated()))) {
            parts.add(Part.HEADER);
        }
        if (known && event.observed().sizeBytes() > 0 && !expected.equals(event.observed())) {
            parts.add(Part.KEY_OR_VALUE);
        }
        return parts;
    }
}
