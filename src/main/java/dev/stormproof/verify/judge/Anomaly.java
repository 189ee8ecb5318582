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
 * @param begin the first sequence; in format 1 the place in the interval, from 0, or -1 where it has none
 * @param end the sequence after the last; {@code begin + 1} for one event
 * @param offset where the event was found; -1 if it was not
 * @param copies how often the event lies in the log
 * @param expected the signature that the checkpoint states; empty if it states none
 * @param observed the signature that was found; empty if none was
 * @param differs the parts of an altered record that are not as its checkpoint states; empty if that is unknown
 * @param hop where on the way it happened, as far as that is known
 * @param writtenMillis when the record at {@code offset} was written; {@link LogRecord#NO_TIME} if none was found
 * @param neighbours of what was lost, the events on both sides of the gap
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

    /** An anomaly of which no more is known than the log that shows it. */
    public Anomaly(
            Kind kind,
            StreamId stream,
            long begin,
            long end,
            long offset,
            int copies,
            Hash expected,
            Hash observed,
            List<Part> differs) {
        this(
                kind,
                stream,
                begin,
                end,
                offset,
                copies,
                expected,
                observed,
                differs,
                Hop.LOG,
                LogRecord.NO_TIME,
                Neighbours.NONE);
    }

    /** An anomaly of another kind than {@link Kind#ALTERED}, or one of which no part is known to differ. */
    public Anomaly(
            Kind kind, StreamId stream, long begin, long end, long offset, int copies, Hash expected, Hash observed) {
        this(kind, stream, begin, end, offset, copies, expected, observed, List.of());
    }

    /** The part of an event's record that a checkpoint states something about. Others may be added. */
    public enum Part {
        /** The event header: signature, signature algorithm or tree hash. */
        HEADER,
        /** The value. */
        VALUE
    }

    /** The kind of an anomaly. */
    public enum Kind {
        /** Stated by a checkpoint, nowhere to be found. */
        LOST,
        /** In the log more than once; {@link Anomaly#offset()} is the second copy's, or that of one out of order. */
        DUPLICATED,
        /** Present and intact, not in its place. One of a minimal set unless the verdict says otherwise. */
        REORDERED,
        /** In its place with another content. */
        ALTERED,
        /** Not there, because the transform failed on it: in its place a marker, in the topic of diverted events the event. */
        DIVERTED,
        /** In the log, stated by no checkpoint that can be read. */
        FOREIGN,
        /** In the log where it does not belong; the checkpoint that may state it expired, or lies further up than is searched. */
        OUT_OF_REACH,
        /** The root differs, and a checkpoint of detail {@code root} cannot say where: somewhere in [begin, end). */
        UNLOCATED,
        /**
         * A checkpoint of the stream is missing; [begin, end) are checkpoint numbers. In format 1, which has none, begin is -1, and
         * {@link Anomaly#copies()} events behind {@link Anomaly#offset()} are stated by no checkpoint.
         */
        CHECKPOINT_LOST,
        /** The checkpoint does not continue its predecessor (number, first sequence or hash). */
        CHAIN_BROKEN
    }

    /** True if the other names the same thing, whichever interval's verdict it stands in. */
    public boolean sameAs(Anomaly other) {
        return kind == other.kind && begin == other.begin && end == other.end && stream.equals(other.stream);
    }

    /** True of events or checkpoints of which no record was found. */
    boolean isMissing() {
        return kind == Kind.LOST || kind == Kind.CHECKPOINT_LOST;
    }

    /** How many events and checkpoints are missing; 2^63 − 1 if more than that are. */
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
        return new Anomaly(
                kind, stream, begin, end, offset, seen, expected, observed, differs, hop, writtenMillis, neighbours);
    }

    Anomaly on(Hop known) {
        return new Anomaly(
                kind,
                stream,
                begin,
                end,
                offset,
                copies,
                expected,
                observed,
                differs,
                known,
                writtenMillis,
                neighbours);
    }

    Anomaly writtenAt(long millis) {
        return new Anomaly(
                kind, stream, begin, end, offset, copies, expected, observed, differs, hop, millis, neighbours);
    }

    Anomaly between(Neighbours known) {
        return new Anomaly(
                kind, stream, begin, end, offset, copies, expected, observed, differs, hop, writtenMillis, known);
    }

    /** A part of a range of sequences or checkpoint numbers, which happened there. */
    Anomaly part(long partBegin, long partEnd, Hop known) {
        boolean whole = partBegin == begin && partEnd == end;
        Hash stated = whole || kind == Kind.CHECKPOINT_LOST ? expected : Hash.empty();
        return new Anomaly(
                kind,
                stream,
                partBegin,
                partEnd,
                offset,
                copies,
                stated,
                observed,
                differs,
                known,
                writtenMillis,
                neighbours);
    }

    /** The part of a range before a sequence or checkpoint number; of no length if none of it is. */
    Anomaly before(long limit) {
        return part(begin, Math.max(begin, Math.min(end, limit)), hop);
    }

    /** The parts of an event that are not as its checkpoint states, as far as that states its signature. */
    static List<Part> differing(Event event, Checkpoint checkpoint, Hash expected) {
        boolean known = expected.sizeBytes() > 0;
        List<Part> parts = new ArrayList<>();
        if (!event.isMadeAs(checkpoint) || (known && !expected.equals(event.stated()))) {
            parts.add(Part.HEADER);
        }
        if (known && event.observed().sizeBytes() > 0 && !expected.equals(event.observed())) {
            parts.add(Part.VALUE);
        }
        return parts;
    }
}
