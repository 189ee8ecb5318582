package dev.stormproof.log.kafka;

import dev.stormproof.log.kafka.FetchedRecords.Aborted;
import dev.stormproof.log.kafka.MalformedBatchException.Fault;
import dev.stormproof.verify.feed.DeliveryLink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A reader of record batches as they come from a broker, without an object for each record. Like a consumer it leaves out
 * control batches, and aborted transactions if it reads committed records.
 *
 * <pre>
 *   at  size  field                              at  size  field
 *    0     8  offset of the first record         27     8  time of the first record
 *    8     4  size of all that follows           35     8  greatest time
 *   12     4  leader epoch                       43     8  producer id
 *   16     1  message format: 2                  51     2  producer epoch
 *   17     4  CRC-32C of all that follows        53     4  sequence of the first record
 *   21     2  attributes                         57     4  records
 *   23     4  last offset, from the first        61        records, see {@link RecordSlice}; may be compressed
 * </pre>
 *
 * <p>All integers are big endian. Batches of an older message format are read with Kafka's own iterator. Records that are too
 * large are reported and not read. If reading ends within an answer, it can go on from there. Belongs to one thread.
 */
final class RecordBatches {
    private static final int SIZE_AT = 8;
    private static final int SIZE_END = 12;
    private static final int EPOCH_AT = 12;
    private static final int FORMAT_AT = 16;
    private static final int CRC_AT = 17;
    private static final int ATTRIBUTES_AT = 21;
    private static final int LAST_DELTA_AT = 23;
    private static final int FIRST_MILLIS_AT = 27;
    private static final int GREATEST_MILLIS_AT = 35;
    private static final int PRODUCER_AT = 43;
    private static final int COUNT_AT = 57;
    private static final int RECORDS_AT = 61;

    private static final int COMPRESSION = 0x07;
    private static final int APPEND_TIME = 0x08;
    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;

    private static final int CURRENT_FORMAT = 2;
    private static final short ABORT = 0;

    private final TopicPartition partition;
    private final int maxRecordBytes;
    private final RecordSlice record = new RecordSlice();
    private final RecordWindow window;
    private final Varints size = new Varints();
    private final CRC32C crc = new CRC32C();
    private final BufferSupplier buffers = BufferSupplier.create();
    private final Set<Long> abortedProducers = new HashSet<>();
    private final Queue<Aborted> aborted = new PriorityQueue<>(Comparator.comparingLong(Aborted::firstOffset));
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    /** Where the batch begins that was read last, or the next one if that has nothing more. */
    private int at;

    /** The offset after the last record that was handed over, or is before those that are wanted. */
    private long next;

    private @Nullable CompressedBatch open;

    interface Taker {
        /** Takes the next record, which is valid until this returns; false if no more are wanted. */
        boolean take(RecordSlice record);
    }

    RecordBatches(TopicPartition partition, int maxRecordBytes) {
        this.partition = partition;
        this.maxRecordBytes = maxRecordBytes;
        this.window = new RecordWindow(maxRecordBytes);
    }

    /**
     * The end of the whole batches of an answer.
     *
     * @param offset the offset after the last one; the one that was asked for if there is no batch
     * @param leaderEpoch the leader epoch of the last batch; -1 if unknown
     */
    record End(long offset, int leaderEpoch) {}

    /** The end of an answer's batches, from their headers alone. */
    static End end(FetchedRecords fetched, long beginOffset) {
        ByteBuffer bytes = fetched.bytes();
        long offset = beginOffset;
        int epoch = DeliveryLink.NO_EPOCH;
        for (int at = bytes.position(); isWhole(bytes, at); at += SIZE_END + bytes.getInt(at + SIZE_AT)) {
            boolean current =
                    bytes.get(at + FORMAT_AT) >= CURRENT_FORMAT && bytes.getInt(at + SIZE_AT) >= LAST_DELTA_AT;
            int lastDelta = current ? bytes.getInt(at + LAST_DELTA_AT) : 0;
            epoch = current ? bytes.getInt(at + EPOCH_AT) : DeliveryLink.NO_EPOCH;
            offset = Math.max(offset, bytes.getLong(at) + lastDelta + 1);
        }
        return new End(offset, epoch);
    }

    /**
     * Hands over the records of [beginOffset, endOffset), in order; false if the taker wants no more.
     *
     * @throws MalformedBatchException if a batch is not what a broker may send
     */
    boolean read(FetchedRecords fetched, long beginOffset, long endOffset, Taker taker) {
        close();
        bytes = fetched.bytes();
        next = beginOffset;
        aborted.clear();
        aborted.addAll(fetched.aborted());
        abortedProducers.clear();
        at = bytes.position();
        if (bytes.hasRemaining() && !isWhole(bytes, at)) {
            throw new MalformedBatchException(partition, beginOffset, "an answer that holds a part of one batch only");
        }
        return readOn(endOffset, taker);
    }

    /** True if the answer may hold more than was read. */
    boolean hasMore() {
        return isWhole(bytes, at);
    }

    /** True if the answer can be read on from an offset: nothing after that was handed over. */
    boolean canGoOn(long beginOffset) {
        return hasMore() && next <= beginOffset;
    }

    /** Goes on with the answer of the last {@link #read}. */
    boolean goOn(long beginOffset, long endOffset, Taker taker) {
        next = beginOffset;
        return readOn(endOffset, taker);
    }

    long unpackedBytes() {
        return window.unpackedBytes();
    }

    /** Closes the open batch, if there is one. */
    void close() {
        CompressedBatch ended = open;
        open = null;
        if (ended != null) {
            Utils.closeQuietly(ended.stream, "a batch of " + partition);
        }
    }

    private boolean readOn(long endOffset, Taker taker) {
        while (isWhole(bytes, at) && next < endOffset) {
            int end = at + SIZE_END + bytes.getInt(at + SIZE_AT);
            if (open != null && open.last < next) {
                close();
            } else if (!readBatch(end, endOffset, taker)) {
                return false;
            }
            if (open == null && next < endOffset) {
                at = end;
            }
        }
        return true;
    }

    private static boolean isWhole(ByteBuffer bytes, int at) {
        return bytes.limit() - at > FORMAT_AT
                && bytes.getInt(at + SIZE_AT) > FORMAT_AT - SIZE_END
                && bytes.getInt(at + SIZE_AT) <= bytes.limit() - at - SIZE_END;
    }

    private boolean readBatch(int end, long endOffset, Taker taker) {
        long baseOffset = bytes.getLong(at);
        try {
            if (open != null) {
                return readCompressed(open, endOffset, taker);
            }
            if (bytes.get(at + FORMAT_AT) < CURRENT_FORMAT) {
                return readOld(end, endOffset, taker);
            }
            check(end);
            long last = baseOffset + bytes.getInt(at + LAST_DELTA_AT);
            if (!isLeftOut(end, last) && next <= last && !readRecords(end, baseOffset, last, endOffset, taker)) {
                return false;
            }
            if (open == null) {
                passed(last, endOffset);
            }
            return true;
        } catch (Fault fault) {
            close();
            throw new MalformedBatchException(partition, baseOffset, fault.text());
        } catch (IOException e) {
            close();
            throw new MalformedBatchException(partition, baseOffset, "it cannot be decompressed: " + e.getMessage(), e);
        } catch (LinkageError e) {
            close();
            throw new IllegalStateException(
                    partition + ", batch at offset " + baseOffset + ": the library that decompresses it could not be"
                            + " loaded; libraries are unpacked to java.io.tmpdir, "
                            + System.getProperty("java.io.tmpdir")
                            + ", which must not be mounted noexec: " + e.getMessage(),
                    e);
        }
    }

    private void check(int end) throws Fault {
        int format = bytes.get(at + FORMAT_AT);
        if (format > CURRENT_FORMAT) {
            throw new Fault("message format " + format + "; this reads up to " + CURRENT_FORMAT);
        }
        if (end - at < RECORDS_AT) {
            throw new Fault(end - at + " bytes, fewer than the " + RECORDS_AT + " of its header");
        }
        crc.reset();
        crc.update(bytes.array(), index(at + ATTRIBUTES_AT), end - at - ATTRIBUTES_AT);
        int stated = bytes.getInt(at + CRC_AT);
        if ((int) crc.getValue() != stated) {
            throw new Fault("CRC-32C " + Integer.toHexString((int) crc.getValue()) + " instead of "
                    + Integer.toHexString(stated));
        }
    }

    /** True for control batches and aborted transactions; notes where transactions begin and end. */
    private boolean isLeftOut(int end, long last) throws Fault {
        int attributes = bytes.getShort(at + ATTRIBUTES_AT);
        long producer = bytes.getLong(at + PRODUCER_AT);
        while (!aborted.isEmpty() && producer >= 0 && aborted.element().firstOffset() <= last) {
            abortedProducers.add(aborted.remove().producerId());
        }
        if ((attributes & CONTROL) != 0) {
            if (abortedProducers.contains(producer) && isAbort(end)) {
                abortedProducers.remove(producer);
            }
            return true;
        }
        return (attributes & TRANSACTIONAL) != 0 && abortedProducers.contains(producer);
    }

    /** True if the first record of a control batch ends a transaction that was aborted: its key is a version and a type. */
    private boolean isAbort(int end) throws Fault {
        if (bytes.getInt(at + COUNT_AT) < 1) {
            return false;
        }
        int begin = index(at + RECORDS_AT);
        size.set(bytes.array(), begin, index(end));
        int sizeBytes = size.varint();
        begin = size.skip(Math.max(0, sizeBytes));
        record.set(bytes.array(), begin, begin + Math.max(0, sizeBytes), 0, 0, 0);
        if (record.key().sizeBytes() < 2 * Short.BYTES) {
            throw new Fault("a control record with a key of " + record.key().sizeBytes() + " bytes");
        }
        return ByteBuffer.wrap(record.key().array()).getShort(record.key().begin() + Short.BYTES) == ABORT;
    }

    private boolean readRecords(int end, long baseOffset, long last, long endOffset, Taker taker)
            throws Fault, IOException {
        int attributes = bytes.getShort(at + ATTRIBUTES_AT);
        int count = bytes.getInt(at + COUNT_AT);
        long firstMillis = bytes.getLong(at + FIRST_MILLIS_AT);
        long appendMillis = (attributes & APPEND_TIME) != 0 ? bytes.getLong(at + GREATEST_MILLIS_AT) : -1;
        record.beginBatch(bytes.getInt(at + EPOCH_AT));
        if (count < 0) {
            throw new Fault(count + " records");
        }
        if ((attributes & COMPRESSION) != 0) {
            InputStream stream = decompressed(end, attributes & COMPRESSION);
            window.open(stream, maxRecordBytes + (long) RecordLimit.MAX_UNPACKING * (end - at));
            CompressedBatch batch = new CompressedBatch(stream, count, baseOffset, last, firstMillis, appendMillis);
            open = batch;
            return readCompressed(batch, endOffset, taker);
        }
        byte[] array = bytes.array();
        int limit = index(end);
        size.set(array, index(at + RECORDS_AT), limit);
        for (int i = 0; i < count; i++) {
            int sizeBytes = size.varint();
            if (sizeBytes < 0) {
                throw new Fault("a record of " + sizeBytes + " bytes");
            }
            int begin = size.skip(sizeBytes);
            record.set(array, begin, begin + sizeBytes, baseOffset, firstMillis, appendMillis);
            if (!hand(endOffset, taker)) {
                return false;
            }
        }
        if (size.remaining() > 0) {
            throw new Fault(size.remaining() + " bytes after its last record");
        }
        return true;
    }

    /**
     * A compressed batch that is being read.
     *
     * <pre>
     *   OPEN ──the end of the range, or a record that the taker does not want──► OPEN, and goes on with that record
     *        ──more than may be unpacked──► BEYOND: all that is left is one range of records that are not read
     *        ──its last record────────────► closed
     * </pre>
     */
    private static final class CompressedBatch {
        private final InputStream stream;
        private final long baseOffset;
        private final long last;
        private final long firstMillis;
        private final long appendMillis;
        /** How many of its records were not unpacked. */
        private int left;
        /** True if the last unpacked record is still to be handed over. */
        private boolean pending;
        /** The offset after the last unpacked record. */
        private long behind;

        private boolean beyond;

        CompressedBatch(
                InputStream stream, int count, long baseOffset, long last, long firstMillis, long appendMillis) {
            this.stream = stream;
            this.left = count;
            this.baseOffset = baseOffset;
            this.last = last;
            this.firstMillis = firstMillis;
            this.appendMillis = appendMillis;
            this.behind = baseOffset;
        }
    }

    /** Reads on in the open batch, which stays open if the range ends in it or the taker wants no more. */
    private boolean readCompressed(CompressedBatch batch, long endOffset, Taker taker) throws Fault, IOException {
        record.beginBatch(bytes.getInt(at + EPOCH_AT));
        while (!batch.beyond && (batch.pending || batch.left > 0)) {
            if (!batch.pending) {
                lookAtNext(batch);
                continue;
            }
            if (record.offset() >= endOffset) {
                next = endOffset;
                return true;
            }
            if (record.offset() >= next && !taker.take(record)) {
                return false;
            }
            next = Math.max(next, record.offset() + 1);
            batch.pending = false;
            window.pass();
        }
        return batch.beyond ? handBeyond(batch, endOffset, taker) : ended(batch);
    }

    private void lookAtNext(CompressedBatch batch) throws Fault, IOException {
        RecordWindow.Next found = window.next();
        if (found == RecordWindow.Next.BEYOND) {
            batch.beyond = true;
            return;
        }
        int begin = window.position();
        if (found == RecordWindow.Next.WHOLE) {
            int end = begin + window.sizeBytes();
            record.set(window.bytes(), begin, end, batch.baseOffset, batch.firstMillis, batch.appendMillis);
            leaveOutOversized();
        } else {
            int end = begin + RecordWindow.BEGINNING_BYTES;
            record.setPlace(window.bytes(), begin, end, batch.baseOffset, batch.firstMillis, batch.appendMillis);
            leaveOut();
        }
        batch.pending = true;
        batch.left--;
        batch.behind = record.offset() + 1;
    }

    private boolean ended(CompressedBatch batch) throws Fault, IOException {
        window.end();
        close();
        next = Math.max(next, batch.last + 1);
        return true;
    }

    /** Hands over the rest of a batch that would unpack to too much, as one range of unread records. */
    private boolean handBeyond(CompressedBatch batch, long endOffset, Taker taker) {
        long first = Math.max(batch.behind, next);
        long last = Math.min(batch.last, endOffset - 1);
        if (first <= last) {
            long millis = batch.appendMillis >= 0 ? batch.appendMillis : batch.firstMillis;
            long count = Math.min(batch.left, last - first + 1);
            record.setUnread(first, last, count, millis, RecordLimit.WHY_BEYOND);
            if (!taker.take(record)) {
                return false;
            }
        }
        next = Math.max(next, last + 1);
        if (next > batch.last) {
            close();
        }
        return true;
    }

    private void leaveOutOversized() {
        if (record.countedBytes() > maxRecordBytes) {
            leaveOut();
        }
    }

    private void leaveOut() {
        record.setUnread(record.offset(), record.offset(), 1, record.timestampMillis(), RecordLimit.WHY);
    }

    private InputStream decompressed(int end, int id) throws Fault, IOException {
        ByteBuffer compressed = bytes.duplicate();
        compressed.position(at + RECORDS_AT).limit(end);
        try {
            return Compression.of(CompressionType.forId(id))
                    .build()
                    .wrapForInput(compressed, (byte) CURRENT_FORMAT, buffers);
        } catch (IllegalArgumentException e) {
            throw new Fault("compression " + id + ": " + e.getMessage());
        } catch (KafkaException e) {
            rethrowError(e);
            throw new IOException(e.getCause() == null ? e : e.getCause());
        }
    }

    private boolean readOld(int end, long endOffset, Taker taker) throws Fault {
        ByteBuffer one = bytes.duplicate();
        one.position(at).limit(end);
        record.beginBatch(DeliveryLink.NO_EPOCH);
        try {
            for (MutableRecordBatch batch :
                    MemoryRecords.readableRecords(one.slice()).batches()) {
                try (CloseableIterator<Record> records = batch.streamingIterator(buffers)) {
                    while (records.hasNext()) {
                        Record old = records.next();
                        old.ensureValid();
                        record.set(bytesOf(old.key()), bytesOf(old.value()), old.offset(), old.timestamp());
                        if (!hand(endOffset, taker)) {
                            return false;
                        }
                    }
                }
                passed(batch.nextOffset() - 1, endOffset);
            }
            return true;
        } catch (KafkaException e) {
            rethrowError(e);
            throw new Fault("in message format " + bytes.get(at + FORMAT_AT) + ": " + e.getMessage());
        }
    }

    private static void rethrowError(KafkaException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
    }

    private static byte @Nullable [] bytesOf(@Nullable ByteBuffer part) {
        if (part == null) {
            return null;
        }
        byte[] copy = new byte[part.remaining()];
        part.duplicate().get(copy);
        return copy;
    }

    private void passed(long last, long endOffset) {
        next = Math.max(next, Math.min(last + 1, endOffset));
    }

    private boolean hand(long endOffset, Taker taker) {
        long offset = record.offset();
        if (offset < next || offset >= endOffset) {
            return true;
        }
        leaveOutOversized();
        if (!taker.take(record)) {
            return false;
        }
        next = offset + 1;
        return true;
    }

    private int index(int at) {
        return bytes.arrayOffset() + at;
    }
}
