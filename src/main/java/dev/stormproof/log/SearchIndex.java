package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The index of the ranges of a log that were searched: which emitters have records there, and where their checkpoints lie.
 *
 * <pre>
 *   log      ──────┬─────────┬─────────┬─────────┬──────────►
 *   ranges         │ a: 3 7  │ a, b: 9 │    b    │           emitters, and the offsets of their checkpoints
 *   search for b   └ skipped ┴ reads 9 ┴ nothing ┴ reads and indexes
 * </pre>
 *
 * <p>Large checkpoints are kept there without their leaves, which no search compares.
 *
 * <p>So that many searches in one stretch of the log, as forged checkpoints cause them, read it once. It changes what is read,
 * and nothing of what is found. Its memory is bounded; beyond that it begins anew.
 */
final class SearchIndex {
    /** How many numbers of 8 bytes are kept. */
    private static final long MAX_NUMBERS = 2_000_000;

    /** A range of fewer offsets and the one behind it are kept as one. */
    private static final int MIN_OFFSETS = 1_024;

    /** From so many checkpoints of a range on, the range is read whole. */
    private static final int MANY = 16;

    /** From so many bytes of leaves on, a checkpoint is kept without them. */
    private static final int MANY_LEAVES_BYTES = 4_096;

    private static final long[] NONE = new long[0];

    private final SearchedLog reader;
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
    /** The checkpoints in them that are too large to be read again for each search, without their leaves. */
    private final Map<Long, CheckpointRecord> large = new HashMap<>();

    private long numbers;

    /**
     * A range that was read.
     *
     * @param emitters whose events lie there, in order
     * @param unread true if records lie there that were not read, which may be anybody's
     * @param checkpointEmitters whose checkpoints lie at {@code checkpointOffsets}
     */
    @SuppressWarnings("ArrayRecordComponent") // Two million numbers; segments are never compared.
    private record Segment(
            long end, boolean unread, long[] emitters, long[] checkpointEmitters, long[] checkpointOffsets) {
        boolean holdsAnyOf(long emitter) {
            return unread
                    || Arrays.binarySearch(emitters, emitter) >= 0
                    || checkpointsOf(emitter, Long.MIN_VALUE, Long.MAX_VALUE).length > 0;
        }

        long[] checkpointsOf(long emitter, long beginOffset, long endOffset) {
            int count = 0;
            long[] offsets = NONE;
            for (int i = 0; i < checkpointEmitters.length; i++) {
                long offset = checkpointOffsets[i];
                if (checkpointEmitters[i] == emitter && beginOffset <= offset && offset < endOffset) {
                    offsets = count < offsets.length ? offsets : Arrays.copyOf(offsets, checkpointOffsets.length);
                    offsets[count++] = offset;
                }
            }
            return count == offsets.length ? offsets : Arrays.copyOf(offsets, count);
        }

        /** The same range and the one right behind it. */
        Segment and(Segment next) {
            return new Segment(
                    next.end,
                    unread || next.unread,
                    LongStream.concat(Arrays.stream(emitters), Arrays.stream(next.emitters))
                            .distinct()
                            .sorted()
                            .toArray(),
                    LongStream.concat(Arrays.stream(checkpointEmitters), Arrays.stream(next.checkpointEmitters))
                            .toArray(),
                    LongStream.concat(Arrays.stream(checkpointOffsets), Arrays.stream(next.checkpointOffsets))
                            .toArray());
        }

        int numbers() {
            return emitters.length + 2 * checkpointOffsets.length + 16;
        }
    }

    SearchIndex(SearchedLog reader) {
        this.reader = reader;
    }

    /** Hands over the checkpoints of a stream in a range of few offsets. */
    void checkpoints(StreamId stream, long beginOffset, long endOffset, Consumer<CheckpointRecord> taker)
            throws ExpiredRangeException {
        long begin = beginOffset;
        while (begin < endOffset) {
            Map.Entry<Long, Segment> known = segments.floorEntry(begin);
            long end;
            if (known != null && known.getValue().end() > begin) {
                end = Math.min(endOffset, known.getValue().end());
                readAgain(known.getValue(), stream, begin, end, taker);
            } else {
                Long next = segments.higherKey(begin);
                end = next == null ? endOffset : Math.min(endOffset, next);
                readFirst(stream, begin, end, taker);
            }
            begin = end;
        }
    }

    /** The checkpoint of a stream that lies at an offset, as searches compare it. */
    Optional<CheckpointRecord> at(StreamId stream, long offset) throws ExpiredRangeException {
        CheckpointRecord known = large.get(offset);
        if (known != null) {
            return Optional.of(known)
                    .filter(checkpoint -> checkpoint.checkpoint().stream().equals(stream));
        }
        for (CheckpointRecord read : reader.checkpoints(offset, offset + 1, stream::equals)) {
            CheckpointRecord found = withoutManyLeaves(read);
            if (!found.equals(read)) {
                keep(found);
            }
            return Optional.of(found);
        }
        return Optional.empty();
    }

    /** Hands over the records of a stream in a range, and maybe others; what is known to hold none is not read. */
    void records(long emitter, long beginOffset, long endOffset, Consumer<LogRecord> taker)
            throws ExpiredRangeException {
        if (beginOffset >= endOffset) {
            return; // Everything up to the end expired meanwhile.
        }
        long begin = beginOffset;
        for (Map.Entry<Long, Segment> known :
                segments.subMap(beginOffset, endOffset).entrySet()) {
            if (known.getValue().end() <= endOffset && !known.getValue().holdsAnyOf(emitter)) {
                read(begin, known.getKey(), taker);
                begin = known.getValue().end();
            }
        }
        read(begin, endOffset, taker);
    }

    /** Forgets everything, because records expired. */
    void forget() {
        segments.clear();
        large.clear();
        numbers = 0;
    }

    private void read(long begin, long end, Consumer<LogRecord> taker) throws ExpiredRangeException {
        if (begin < end) {
            reader.read(begin, end, taker);
        }
    }

    private void readAgain(Segment known, StreamId stream, long begin, long end, Consumer<CheckpointRecord> taker)
            throws ExpiredRangeException {
        long[] offsets = known.checkpointsOf(stream.emitter(), begin, end);
        if (Arrays.stream(offsets).filter(offset -> !large.containsKey(offset)).count() >= MANY) {
            reader.checkpoints(begin, end, stream::equals)
                    .forEach(checkpoint -> taker.accept(withoutManyLeaves(checkpoint)));
            return;
        }
        for (long offset : offsets) {
            CheckpointRecord kept = large.get(offset);
            if (kept == null) {
                reader.checkpoints(offset, offset + 1, stream::equals).forEach(taker);
            } else if (kept.checkpoint().stream().equals(stream)) {
                taker.accept(kept);
            }
        }
    }

    private void readFirst(StreamId stream, long begin, long end, Consumer<CheckpointRecord> taker)
            throws ExpiredRangeException {
        LongStream.Builder emitters = LongStream.builder();
        LongStream.Builder checkpointEmitters = LongStream.builder();
        LongStream.Builder checkpointOffsets = LongStream.builder();
        List<CheckpointRecord> withoutLeaves = new ArrayList<>();
        boolean[] unread = new boolean[1];
        reader.read(begin, end, record -> {
            unread[0] |= record instanceof OversizedRecords;
            if (record instanceof Event event) {
                emitters.add(event.emitter());
            } else if (record instanceof CheckpointRecord checkpoint) {
                CheckpointRecord found = withoutManyLeaves(checkpoint);
                StreamId whose = found.checkpoint().stream();
                checkpointEmitters.add(whose.emitter());
                checkpointOffsets.add(record.offset());
                if (!found.equals(checkpoint)) {
                    withoutLeaves.add(found);
                }
                if (whose.equals(stream)) {
                    taker.accept(found);
                }
            }
        });
        keep(
                begin,
                new Segment(
                        end,
                        unread[0],
                        emitters.build().distinct().sorted().toArray(),
                        checkpointEmitters.build().toArray(),
                        checkpointOffsets.build().toArray()),
                withoutLeaves);
    }

    /** A checkpoint as searches compare it: the leaves of a large one are left out, so that it can be kept. */
    private static CheckpointRecord withoutManyLeaves(CheckpointRecord checkpoint) {
        // guard: large-leaves-are-not-kept: checkpoint
        return RecordSizes.ofLeaves(checkpoint) < MANY_LEAVES_BYTES ? checkpoint : checkpoint.withoutLeaves();
    }

    private void keep(long begin, Segment segment, List<CheckpointRecord> withoutLeaves) {
        long more = segment.numbers()
                + withoutLeaves.stream().mapToLong(RecordSizes::of).sum() / Long.BYTES;
        if (numbers + more > MAX_NUMBERS) {
            forget();
        }
        Map.Entry<Long, Segment> before = segments.lowerEntry(begin);
        if (before != null && before.getValue().end() == begin && begin - before.getKey() < MIN_OFFSETS) {
            segments.put(before.getKey(), before.getValue().and(segment));
        } else {
            // guard: what-was-searched-is-kept
            segments.put(begin, segment);
        }
        numbers += segment.numbers();
        withoutLeaves.forEach(this::keep);
    }

    private void keep(CheckpointRecord withoutLeaves) {
        if (large.put(withoutLeaves.offset(), withoutLeaves) == null) {
            numbers += RecordSizes.of(withoutLeaves) / Long.BYTES;
        }
    }
}
