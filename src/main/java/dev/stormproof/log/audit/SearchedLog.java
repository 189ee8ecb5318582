package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.feed.DeliveryLink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition as audits search it: range by range, counted, and remembered, so that neighbouring audits and many
 * searches in one stretch read it once. What a {@link SearchBudget} is charged is counted here and nowhere else.
 *
 * <pre>
 *   log  ──────┬─────────┬─────────┬───────┬──────┬─────┬──────►
 *              │ a: 3 7  │ a, b: 9 │ e e # │ near │read │
 *              └─ in short ────────┴ whole ┘      └─────┘     what is near beside what is whole is read as well
 *
 *   read ─────► WHOLE     every record is kept
 *   WHOLE ────► IN SHORT  beyond {@value #MOST_WHOLE_BYTES} bytes, the oldest first: whose records lie there, and the checkpoints
 *                         without large leaves, which no search compares
 *   IN SHORT ─► gone      beyond {@value #MOST_SHORT_BYTES} bytes it begins anew
 * </pre>
 *
 * <p>It changes what is read, and nothing of what is found. It goes {@linkplain #on on} from job to job, until records expired or were
 * truncated, and what it knows is {@linkplain #forget forgotten}. For one thread at a time.
 */
public final class SearchedLog {
    /** About how much memory the records take that are kept whole. */
    static final long MOST_WHOLE_BYTES = 24 << 20;

    /** About how much memory the rest takes. */
    static final long MOST_SHORT_BYTES = 40 << 20;

    /** How many leader epochs are asked for, to find out that the log was truncated. */
    private static final int MOST_EPOCHS = 8;

    /** How many offsets beside what is whole are read to reach a range that was asked for. */
    static final long NEAR_OFFSETS = 10_000;

    private static final int SEGMENT_RECORDS = 1_024;
    private static final long SEGMENT_BYTES = 1 << 20;

    /** From so many bytes of leaves on, a search takes a checkpoint without them. */
    private static final int MANY_LEAVES_BYTES = 4_096;

    private static final long[] NO_EMITTERS = {};

    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
    /** Those of them that are whole, as they were read. */
    private final LinkedHashSet<Segment> whole = new LinkedHashSet<>();

    private @Nullable PartitionReader reader;
    private @Nullable Long begin;
    /** The log's end when the reader was first asked: what may come behind it was not read. */
    private long end;
    /** The offset after the last record that was kept of each leader epoch. */
    private final NavigableMap<Integer, Long> keptEnds = new TreeMap<>();

    private long wholeBytes;
    private long shortBytes;
    private long recordsRead;
    private long bytesRead;

    /** Goes on with a reader, and forgets what the log no longer holds as it was read. */
    public SearchedLog on(PartitionReader next) {
        reader = next;
        begin = null;
        boolean same = keptEnds.size() <= MOST_EPOCHS;
        for (Map.Entry<Integer, Long> kept : keptEnds.entrySet()) {
            // A record is the same where its offset and its leader epoch are (KIP-320).
            same = same
                    && kept.getKey() != DeliveryLink.NO_EPOCH
                    && next.endOfEpoch(kept.getValue(), kept.getKey()).holds(kept.getKey(), kept.getValue());
        }
        if (!same) {
            beginAnew();
        }
        // Behind the last record no epoch tells what may have been truncated and written since.
        dropFrom(keptEnds.values().stream().mapToLong(Long::longValue).max().orElse(0));
        return this;
    }

    /** Where the log begins; asked once. */
    public long beginOffset() {
        Long known = begin;
        if (known == null) {
            PartitionReader.Bounds bounds = log().bounds();
            known = bounds.begin();
            begin = known;
            end = bounds.end();
            dropBefore(known);
        }
        return known;
    }

    public long endOffset() {
        return log().bounds().end();
    }

    public long offsetForTime(long millis) {
        return log().offsetForTime(millis);
    }

    private PartitionReader log() {
        return Objects.requireNonNull(reader, "a reader");
    }

    void read(long beginOffset, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException {
        for (long at = beginOffset; at < endOffset; ) {
            Segment known = holding(at);
            if (known != null && known.isWhole()) {
                known.records(at, endOffset, records);
                at = known.end;
            } else {
                at = readFrom(at, endOffset, records);
            }
        }
    }

    /** Hands over the records up to the first one that is wanted, inclusive; none of them is kept. */
    public void readUntil(long beginOffset, long endOffset, Predicate<LogRecord> wanted) throws ExpiredRangeException {
        scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> !wanted.test(record));
    }

    private void scan(long beginOffset, long endOffset, PartitionReader.Taker taker) throws ExpiredRangeException {
        bytesRead += log().scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> {
            recordsRead++;
            return taker.take(record, leaderEpoch, timestampMillis, content);
        });
    }

    /** Hands over the records of an emitter in a range, and maybe others; what is known to hold none is not read. */
    void records(long emitter, long beginOffset, long endOffset, Consumer<LogRecord> taker)
            throws ExpiredRangeException {
        if (beginOffset >= endOffset) {
            return; // Everything up to the end expired meanwhile.
        }
        long at = beginOffset;
        for (Segment known : List.copyOf(segments.subMap(beginOffset, endOffset).values())) {
            if (known.end <= endOffset && !known.holdsAnyOf(emitter)) {
                read(at, known.begin, taker);
                at = known.end;
            }
        }
        read(at, endOffset, taker);
    }

    /** Hands over the checkpoints of a stream in a range, as searches compare them. */
    void checkpoints(StreamId stream, long beginOffset, long endOffset, Consumer<CheckpointRecord> taker)
            throws ExpiredRangeException {
        for (long at = beginOffset; at < endOffset; ) {
            Segment known = holding(at);
            if (known != null && (known.isWhole() || stream.emitter() != StreamId.NO_EMITTER)) {
                known.checkpoints(stream, at, endOffset, taker);
                at = known.end;
            } else {
                Long next = segments.higherKey(at);
                long to = next == null ? endOffset : Math.min(endOffset, next);
                read(at, to, record -> {
                    if (record instanceof CheckpointRecord found
                            && found.checkpoint().stream().equals(stream)) {
                        taker.accept(withoutManyLeaves(found));
                    }
                });
                at = to;
            }
        }
    }

    /** The checkpoint of a stream that lies at an offset, as searches compare it. */
    Optional<CheckpointRecord> at(StreamId stream, long offset) throws ExpiredRangeException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        checkpoints(stream, offset, offset + 1, checkpoint -> found[0] = checkpoint);
        return Optional.ofNullable(found[0]);
    }

    /** The checkpoint that lies at an offset, with its leaves. */
    Optional<CheckpointRecord> wholeAt(long offset) throws ExpiredRangeException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        read(offset, offset + 1, record -> found[0] = record instanceof CheckpointRecord there ? there : null);
        return Optional.ofNullable(found[0]);
    }

    long recordsRead() {
        return recordsRead;
    }

    long bytesRead() {
        return bytesRead;
    }

    public long sizeBytes() {
        return wholeBytes + shortBytes;
    }

    /** Forgets what it knows of the log, because records expired. */
    void forget() {
        begin = null;
        beginAnew();
    }

    private void dropBefore(long offset) {
        List.copyOf(segments.headMap(offset).values()).forEach(this::drop);
    }

    private void dropFrom(long offset) {
        List.copyOf(segments.tailMap(offset).values()).forEach(this::drop);
        Map.Entry<Long, Segment> last = segments.lastEntry();
        if (last != null) {
            last.getValue().end = Math.min(last.getValue().end, offset);
        }
    }

    private void drop(Segment segment) {
        segments.remove(segment.begin);
        boolean wasWhole = whole.remove(segment);
        wholeBytes -= wasWhole ? segment.bytes : 0;
        shortBytes -= wasWhole ? 0 : segment.bytes;
    }

    private void beginAnew() {
        keptEnds.clear();
        segments.clear();
        whole.clear();
        wholeBytes = 0;
        shortBytes = 0;
    }

    private @Nullable Segment holding(long offset) {
        Map.Entry<Long, Segment> before = segments.floorEntry(offset);
        return before != null && before.getValue().end > offset ? before.getValue() : null;
    }

    /** Reads up to what is whole, and what lies near beside that; returns the offset up to which was handed over. */
    private long readFrom(long at, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException {
        Map.Entry<Long, Segment> before = segments.lowerEntry(at);
        long from = before == null || !before.getValue().isWhole() || at - before.getValue().end > NEAR_OFFSETS
                ? at
                : before.getValue().end;
        long to = endOffset;
        for (Segment next : segments.tailMap(at, false).values()) {
            if (next.isWhole() && next.begin - endOffset <= NEAR_OFFSETS) {
                to = next.begin;
            }
            if (next.isWhole() || next.begin >= endOffset) {
                break;
            }
        }
        long end = Math.min(to, endOffset);
        readAndKeep(from, to, record -> {
            if (at <= record.offset() && record.offset() < end) {
                records.accept(record);
            }
        });
        return end;
    }

    private void readAndKeep(long from, long to, Consumer<LogRecord> records) throws ExpiredRangeException {
        beginOffset();
        long known = Math.min(to, end);
        Segment[] reading = {new Segment(from)};
        scan(from, to, (record, leaderEpoch, timestampMillis, content) -> {
            records.accept(record);
            if (record.offset() < known) {
                keptEnds.merge(leaderEpoch, record.offset() + 1, Math::max);
                if (reading[0].add(record)) {
                    keep(reading[0], record.offset() + 1);
                    reading[0] = new Segment(record.offset() + 1);
                }
            }
            return true;
        });
        keep(reading[0], known);
    }

    private void keep(Segment read, long end) {
        if (read.begin >= end) {
            return;
        }
        read.end = end;
        Segment first = holding(read.begin);
        List<Segment> replaced =
                new ArrayList<>(segments.subMap(read.begin, end).values());
        if (first != null && first.begin < read.begin) {
            replaced.add(first);
        }
        for (Segment inShort : replaced) {
            segments.remove(inShort.begin);
            shortBytes -= inShort.bytes;
        }
        segments.put(read.begin, read);
        whole.add(read);
        wholeBytes += read.bytes;
        while (wholeBytes > MOST_WHOLE_BYTES) {
            Segment oldest = whole.iterator().next();
            whole.remove(oldest);
            wholeBytes -= oldest.bytes;
            oldest.shorten();
            shortBytes += oldest.bytes;
        }
        if (shortBytes > MOST_SHORT_BYTES) {
            beginAnew();
        }
    }

    private static CheckpointRecord withoutManyLeaves(CheckpointRecord checkpoint) {
        return RecordSizes.ofLeaves(checkpoint) < MANY_LEAVES_BYTES ? checkpoint : checkpoint.withoutLeaves();
    }

    /** A range that was read. */
    private static final class Segment {
        private static final long BYTES = 128;

        private final long begin;
        private long end;
        /** Every record there; in short the checkpoints of format 2, without many leaves. */
        private List<LogRecord> records = new ArrayList<>();

        private long bytes = BYTES;
        /** The checkpoints among them, as searches compare them; null before one asks. */
        private @Nullable List<CheckpointRecord> checkpoints;
        /** In short, whose records lie there, ascending; null of what is whole. */
        private long @Nullable [] emitters;

        Segment(long begin) {
            this.begin = begin;
            this.end = begin;
        }

        /** Takes the next record; true if that is enough for one segment. */
        boolean add(LogRecord record) {
            records.add(record);
            checkpoints = null;
            bytes += RecordSizes.of(record);
            return records.size() >= SEGMENT_RECORDS || bytes >= SEGMENT_BYTES;
        }

        boolean isWhole() {
            return emitters == null;
        }

        void shorten() {
            // What was not read may be anybody's, and of format 1 nothing is kept in short.
            boolean anybodys = records.stream().anyMatch(record -> record instanceof OversizedRecords);
            emitters = anybodys
                    ? NO_EMITTERS
                    : records.stream()
                            .mapToLong(Segment::emitterOf)
                            .sorted()
                            .distinct()
                            .toArray();
            records = new ArrayList<>(checkpoints().stream()
                    .filter(found -> found.checkpoint().stream().emitter() != StreamId.NO_EMITTER)
                    .toList());
            checkpoints = null;
            bytes = BYTES
                    + (long) Long.BYTES * emitters.length
                    + records.stream().mapToLong(RecordSizes::of).sum();
        }

        boolean holdsAnyOf(long emitter) {
            long[] known = emitters;
            if (known == null) {
                return records.stream()
                        .anyMatch(record -> record instanceof OversizedRecords || emitterOf(record) == emitter);
            }
            return known.length == 0 || Arrays.binarySearch(known, emitter) >= 0;
        }

        void records(long beginOffset, long endOffset, Consumer<LogRecord> taker) {
            handOver(records, beginOffset, endOffset, taker);
        }

        /** Hands over a stream's checkpoints of [beginOffset, endOffset); in short none of format 1. */
        void checkpoints(StreamId stream, long beginOffset, long endOffset, Consumer<CheckpointRecord> taker) {
            handOver(checkpoints(), beginOffset, endOffset, found -> {
                if (found.checkpoint().stream().equals(stream)) {
                    taker.accept(found);
                }
            });
        }

        private List<CheckpointRecord> checkpoints() {
            List<CheckpointRecord> found = checkpoints;
            if (found == null) {
                found = records.stream()
                        .filter(CheckpointRecord.class::isInstance)
                        .map(CheckpointRecord.class::cast)
                        .map(SearchedLog::withoutManyLeaves)
                        .toList();
                checkpoints = found;
            }
            return found;
        }

        /** Many steps of a search ask one segment, each for a few offsets of it. */
        private static <R extends LogRecord> void handOver(
                List<R> ascending, long beginOffset, long endOffset, Consumer<? super R> taker) {
            int low = 0;
            for (int high = ascending.size(); low < high; ) {
                int middle = (low + high) >>> 1;
                if (ascending.get(middle).offset() < beginOffset) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            while (low < ascending.size() && ascending.get(low).offset() < endOffset) {
                taker.accept(ascending.get(low++));
            }
        }

        private static long emitterOf(LogRecord record) {
            return record instanceof Event event
                    ? event.emitter()
                    : record instanceof CheckpointRecord found
                            ? found.checkpoint().stream().emitter()
                            : StreamId.NO_EMITTER;
        }
    }
}
