package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
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
 * <p>So that many searches in one stretch of the log, as forged checkpoints cause them, read it once. It changes what is read,
 * and nothing of what is found. Its memory is bounded; beyond that it begins anew.
 */
final class SearchIndex {
    /** How many numbers of 8 bytes are kept. */
    private static final long MAX_NUMBERS = 2_000_000;

    /** Less than this is read each time. */
    private static final int MIN_OFFSETS = 64;

    /** From so many checkpoints of a range on, the range is read whole. */
    private static final int MANY = 16;

    private static final long[] NONE = new long[0];

    private final SearchedLog reader;
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
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
        if (offsets.length >= MANY) {
            reader.checkpoints(begin, end, stream::equals).forEach(taker);
            return;
        }
        for (long offset : offsets) {
            reader.checkpoints(offset, offset + 1, stream::equals).forEach(taker);
        }
    }

    private void readFirst(StreamId stream, long begin, long end, Consumer<CheckpointRecord> taker)
            throws ExpiredRangeException {
        LongStream.Builder emitters = LongStream.builder();
        LongStream.Builder checkpointEmitters = LongStream.builder();
        LongStream.Builder checkpointOffsets = LongStream.builder();
        boolean[] unread = new boolean[1];
        reader.read(begin, end, record -> {
            unread[0] |= record instanceof OversizedRecords;
            if (record instanceof Event event) {
                emitters.add(event.emitter());
            } else if (record instanceof CheckpointRecord checkpoint) {
                StreamId found = checkpoint.checkpoint().stream();
                checkpointEmitters.add(found.emitter());
                checkpointOffsets.add(record.offset());
                if (found.equals(stream)) {
                    taker.accept(checkpoint);
                }
            }
        });
        if (end - begin >= MIN_OFFSETS) {
            keep(
                    begin,
                    new Segment(
                            end,
                            unread[0],
                            emitters.build().distinct().sorted().toArray(),
                            checkpointEmitters.build().toArray(),
                            checkpointOffsets.build().toArray()));
        }
    }

    private void keep(long begin, Segment segment) {
        if (numbers + segment.numbers() > MAX_NUMBERS) {
            forget();
        }
        segments.put(begin, segment);
        numbers += segment.numbers();
    }
}
