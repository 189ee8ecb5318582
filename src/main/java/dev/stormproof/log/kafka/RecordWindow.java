package dev.stormproof.log.kafka;

import dev.stormproof.log.kafka.MalformedBatchException.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The records of a compressed batch, a window at a time: only as much is decompressed as the next record takes.
 *
 * <pre>
 *   compressed ──► stream ──► │ read │ record │ … │ free │     an array that is used again, and grows with what really comes
 *                                    position     limit
 *
 *   next ──► WHOLE      the record is there, until it is passed
 *        ──► OVERSIZED  only its beginning is there; it is decompressed and dropped when it is passed
 *        ──► BEYOND     with it the batch takes more than it may: nothing more of it is decompressed
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class RecordWindow {
    private static final int USUAL_BYTES = 1 << 16;
    private static final int VARINT_BYTES = 5;

    /** How much of an oversized record is unpacked: its attributes, its time and its offset. */
    static final int BEGINNING_BYTES = 16;

    private final int maxRecordBytes;
    private final Varints size = new Varints();
    private byte[] bytes = new byte[USUAL_BYTES];
    private int position;
    private int limit;
    private int sizeBytes;
    private long batchBytesLeft;
    private long unpackedBytes;
    private InputStream stream = InputStream.nullInputStream();

    enum Next {
        WHOLE,
        OVERSIZED,
        BEYOND
    }

    /** @param maxRecordBytes the size of the largest record that is kept whole */
    RecordWindow(int maxRecordBytes) {
        this.maxRecordBytes = maxRecordBytes;
    }

    /** @param maxBatchBytes how much may be decompressed of all its records */
    void open(InputStream decompressed, long maxBatchBytes) {
        stream = decompressed;
        position = 0;
        limit = 0;
        batchBytesLeft = maxBatchBytes;
        if (bytes.length > USUAL_BYTES) {
            bytes = new byte[USUAL_BYTES];
        }
    }

    /** Unpacks the next record, as far as it is wanted. It begins at {@link #position()} until {@link #pass}. */
    Next next() throws Fault, IOException {
        fill(VARINT_BYTES);
        size.set(bytes, position, limit);
        sizeBytes = size.varint();
        if (sizeBytes < 0) {
            throw new Fault("a record of " + sizeBytes + " bytes");
        }
        batchBytesLeft -= sizeBytes;
        if (batchBytesLeft < 0) {
            return Next.BEYOND;
        }
        position = size.position();
        boolean whole = sizeBytes <= maxRecordBytes;
        int wanted = whole ? sizeBytes : BEGINNING_BYTES;
        if (!fill(wanted)) {
            throw new Fault(
                    "the end, " + (limit - position) + " bytes after the beginning of a record of " + sizeBytes);
        }
        return whole ? Next.WHOLE : Next.OVERSIZED;
    }

    /** The record's unpacked size. */
    int sizeBytes() {
        return sizeBytes;
    }

    /** Goes to the end of the record. */
    void pass() throws Fault, IOException {
        int left = sizeBytes;
        while (left > limit - position) {
            left -= limit - position;
            position = 0;
            limit = 0;
            if (!fill(1)) {
                throw new Fault("the end, " + left + " bytes before that of a record of " + sizeBytes);
            }
        }
        position += left;
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    /** How many bytes were unpacked so far, of all batches. */
    long unpackedBytes() {
        return unpackedBytes;
    }

    void end() throws Fault, IOException {
        if (fill(1)) {
            throw new Fault("more bytes after its last record");
        }
    }

    /** Unpacks until so many bytes are there; false if there are fewer. */
    private boolean fill(int wanted) throws IOException {
        if (limit - position >= wanted) {
            return true;
        }
        System.arraycopy(bytes, position, bytes, 0, limit - position);
        limit -= position;
        position = 0;
        while (limit < wanted) {
            if (limit == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(2L * bytes.length, Math.max(wanted, bytes.length + 1L)));
            }
            int read = read();
            if (read < 0) {
                return false;
            }
            limit += read;
            unpackedBytes += read;
        }
        return true;
    }

    private int read() throws IOException {
        try {
            return stream.read(bytes, limit, bytes.length - limit);
        } catch (RuntimeException e) {
            throw new IOException(e);
        } catch (Error e) {
            // Snappy's library has an error of its own for bytes that are no such stream.
            if (e.getClass().getName().startsWith("org.xerial.snappy.")) {
                throw new IOException(e);
            }
            throw e;
        }
    }
}
