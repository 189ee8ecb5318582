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
 * @param beginOffset where reading began; if the interval is too large and matches, the offset of its first record
 * @param endOffset where it ended
 * @param fromLogStart true if the log holds no earlier record
 * @param checkpoints the stream's checkpoints; if the interval is too large, only the target and another one of its number
 *     after its predecessor
 * @param events the stream's events; none if the interval is too large
 * @param extent how much of it could be kept
 * @param homes the records before beginOffset that were read for events of the own range
 * @param origin the evidence in the log of the topic's origin
 * @param unread the records there that are too large to be read; each may belong to the stream
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
     * The earlier intervals to which events of the own range belong by their sequences.
     *
     * @param checkpoints their checkpoints
     * @param events their events in these intervals
     */
    public record Homes(List<CheckpointRecord> checkpoints, List<Event> events) {
        /** No homes were needed or found. */
        public static final Homes NONE = new Homes(List.of(), List.of());

        public Homes {
            checkpoints = List.copyOf(checkpoints);
            events = List.copyOf(events);
        }
    }

    /** The extent to which the records that were read could be kept. */
    public enum Extent {
        WHOLE,
        /** The whole interval, as the verifier saw it begin; the records before it have expired. */
        BEGINNING_SEEN,
        /** A whole empty first interval, whose checkpoint may have an earlier copy before the searched range. */
        MAYBE_A_COPY,
        /** Too much to keep; read one by one, the interval's events are as its checkpoint states. */
        TOO_LARGE_AND_MATCHING,
        /** Too much to keep, and what differs is unknown. */
        TOO_LARGE,
        /** The interval begins before the searched range. */
        OUT_OF_REACH,
        /** The log now begins after events that were seen of the interval. */
        BEGINNING_EXPIRED,
        /** Its beginning was not found, because the partition's search budget was spent. */
        BEYOND_THE_BUDGET,
        /** The checkpoint lies after a later one of its stream, which is known to seal and has expired. */
        BEHIND_WHAT_EXPIRED,
        /**
         * The checkpoint lies after a later one of its stream that is known to seal, or after another one of its number, which
         * is the first checkpoint here.
         */
        BEHIND_ITS_STREAM
    }

    /**
     * How many offsets before a stream's first checkpoint its events are found: the audit of that checkpoint reads as far back.
     */
    public static final long BEFORE_THE_BEGINNING = 10_000;

    public Evidence {
        checkpoints = List.copyOf(checkpoints);
        events = List.copyOf(events);
        unread = List.copyOf(unread);
    }

    /** Whole evidence without homes of events, and without an origin. */
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

    /** Empty evidence on an interval whose checkpoint has expired. */
    public static Evidence expired(long logBeginOffset, long endOffset) {
        return new Evidence(logBeginOffset, endOffset, true, List.of(), List.of());
    }

    /** The same evidence with another extent. */
    public Evidence with(Extent kept) {
        return new Evidence(beginOffset, endOffset, fromLogStart, checkpoints, events, kept, homes, origin, unread);
    }

    public Evidence with(OriginEvidence shown) {
        return new Evidence(beginOffset, endOffset, fromLogStart, checkpoints, events, extent, homes, shown, unread);
    }

    /** The same evidence without the events after an offset. */
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

    /** True if the log held earlier records, which have expired. */
    public boolean beginsLate() {
        return fromLogStart && beginOffset > 0;
    }

    /** True if records of a range that begins after an offset may have expired. */
    boolean isBeheaded(long rangeBegin) {
        return beginsLate() && rangeBegin < beginOffset && extent != Extent.BEGINNING_SEEN;
    }

    /** The same anomalies with the times of the records that were found of them. */
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

    public Optional<CheckpointRecord> at(long offset) {
        return checkpoints.stream().filter(record -> record.offset() == offset).findFirst();
    }
}
