package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records of one stream that the log holds in [beginOffset, endOffset), in its order.
 *
 * <pre>
 *   checkpoints   …      P               C               N
 *   offsets   ────┼──────┼───────────────┼───────────────┼──►
 *                 │before│  own range    │     after     │
 *   begin ────────┘                      └ the target    └── end
 * </pre>
 *
 * @param beginOffset where reading began; of what is too large and matches, where the interval's first record lies
 * @param endOffset where it ended
 * @param fromLogStart true if the log holds no earlier record
 * @param checkpoints the stream's checkpoints; of what is too large the target, and another one of its number behind its
 *     predecessor
 * @param events the stream's events; none of what is too large
 * @param extent how much of it could be kept
 * @param homes what was read before beginOffset for events of the own range
 * @param origin what the log of the topic's origin holds of it
 * @param unread the records there that were not read, because they are too large; any of them may be the stream's
 */
public record Evidence(
        long beginOffset,
        long endOffset,
        boolean fromLogStart,
        List<CheckpointRecord> checkpoints,
        List<Event> events,
        Extent extent,
        Homes homes,
        OriginEvidence origin,
        List<OversizedRecords> unread) {
    /**
     * The intervals further up to which events of the own range belong by their sequences.
     *
     * @param checkpoints their checkpoints
     * @param events the events of these sequences that lie there
     */
    public record Homes(List<CheckpointRecord> checkpoints, List<Event> events) {
        /** None was needed, or found. */
        public static final Homes NONE = new Homes(List.of(), List.of());

        public Homes {
            checkpoints = List.copyOf(checkpoints);
            events = List.copyOf(events);
        }
    }

    /** The extent to which the records that were read could be kept. */
    public enum Extent {
        /** Everything. */
        WHOLE,
        /** Everything of the interval, as the verifier saw it begin; what lay before that has expired. */
        BEGINNING_SEEN,
        /** Everything of an empty first interval; but its checkpoint may have been stated farther up than was searched. */
        MAYBE_A_COPY,
        /** Too much for that; read one by one, the interval's events are what its checkpoint states, and where. */
        TOO_LARGE_AND_MATCHING,
        /** Too much for that, and what differs is unknown. */
        TOO_LARGE,
        /** The interval begins further up in the log than is searched. */
        OUT_OF_REACH,
        /** Events that were seen of it lay further up than the log now begins. */
        BEGINNING_EXPIRED,
        /** Where it begins was not found, since the partition's budget for searching back was spent. */
        BEYOND_THE_BUDGET,
        /** The checkpoint lies behind a later one of its stream that is known to seal, and has expired. */
        BEHIND_WHAT_EXPIRED,
        /**
         * The checkpoint lies behind a later one of its stream that is known to seal, or another one of its number: that one
         * comes first.
         */
        BEHIND_ITS_STREAM
    }

    /**
     * How far before a stream's first checkpoint an event of it may lie and be found, in offsets: the audit of that
     * checkpoint reads as far back.
     */
    public static final long BEFORE_THE_BEGINNING = 10_000;

    public Evidence {
        checkpoints = List.copyOf(checkpoints);
        events = List.copyOf(events);
        unread = List.copyOf(unread);
    }

    /** Evidence that could be kept whole, without homes of events, and without what an origin shows. */
    public Evidence(
            long beginOffset,
            long endOffset,
            boolean fromLogStart,
            List<CheckpointRecord> checkpoints,
            List<Event> events) {
        this(
                beginOffset,
                endOffset,
                fromLogStart,
                checkpoints,
                events,
                Extent.WHOLE,
                Homes.NONE,
                OriginEvidence.NONE,
                List.of());
    }

    /** The empty evidence on an interval whose checkpoint expired. */
    public static Evidence expired(long logBeginOffset, long endOffset) {
        return new Evidence(logBeginOffset, endOffset, true, List.of(), List.of());
    }

    /** The same evidence, kept to another extent. */
    public Evidence with(Extent kept) {
        return new Evidence(beginOffset, endOffset, fromLogStart, checkpoints, events, kept, homes, origin, unread);
    }

    /** The same evidence together with that of the origin. */
    public Evidence with(OriginEvidence shown) {
        return new Evidence(beginOffset, endOffset, fromLogStart, checkpoints, events, extent, homes, shown, unread);
    }

    /** The same evidence without the events behind an offset. */
    Evidence withoutEventsBehind(long offset) {
        List<Event> before =
                events.stream().filter(event -> event.offset() < offset).toList();
        return new Evidence(beginOffset, endOffset, fromLogStart, checkpoints, before, extent, homes, origin, unread);
    }

    /** How many records between two offsets were not read. */
    long unreadBetween(long after, long before) {
        return unread.stream()
                .filter(records -> after < records.offset() && records.firstOffset() < before)
                .mapToLong(OversizedRecords::count)
                .sum();
    }

    /** The offset of the stream's first record that was read. */
    long firstOffset() {
        return Stream.of(checkpoints, events)
                .<LogRecord>flatMap(List::stream)
                .mapToLong(LogRecord::offset)
                .min()
                .orElse(endOffset);
    }

    /** True if the log once held earlier records, which it no longer does. */
    public boolean beginsLate() {
        return fromLogStart && beginOffset > 0;
    }

    /** True if records of a range that begins behind an offset may have expired. */
    boolean isBeheaded(long rangeBegin) {
        return beginsLate() && rangeBegin < beginOffset && extent != Extent.BEGINNING_SEEN;
    }

    /** The same anomalies with the times at which what was found of them was written. */
    List<Anomaly> timed(List<Anomaly> anomalies) {
        Map<Long, Long> times = new HashMap<>();
        anomalies.forEach(anomaly -> times.put(anomaly.offset(), LogRecord.NO_TIME));
        Stream.of(checkpoints, events, homes.checkpoints(), homes.events())
                .<LogRecord>flatMap(List::stream)
                .forEach(record -> times.replace(record.offset(), record.writtenMillis()));
        return anomalies.stream()
                .map(anomaly -> anomaly.writtenAt(times.getOrDefault(anomaly.offset(), LogRecord.NO_TIME)))
                .toList();
    }

    /** The checkpoint at an offset. */
    public Optional<CheckpointRecord> at(long offset) {
        return checkpoints.stream().filter(record -> record.offset() == offset).findFirst();
    }
}
