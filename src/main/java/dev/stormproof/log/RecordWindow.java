package dev.stormproof.log;

import dev.stormproof.log.MalformedBatchException.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The records of a compressed batch, a window at a time: only as much is decompressed as the next record takes.
 *
 * <pre>
 *   compressed ──► stream ──► │ read │ record │ … │ free │     an array that is used again, and grows with what really comes
 *                                    position     limit
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class RecordWindow {
    private static final int USUAL_BYTES = 1 << 16;
    private static final int VARINT_BYTES = 5;

    private final int maxRecordBytes;
    private final Varints size = new Varints();
    private byte[] bytes = new byte[USUAL_BYTES];
    private int position;
    private int limit;
    private InputStream stream = InputStream.nullInputStream();

    /** @param maxRecordBytes the size of the largest record that is decompressed */
    RecordWindow(int maxRecordBytes) {
        this.maxRecordBytes = maxRecordBytes;
    }

    void open(InputStream decompressed) {
        stream = decompressed;
        position = 0;
        limit = 0;
        if (bytes.length > USUAL_BYTES) {
            bytes = new byte[USUAL_BYTES];
        }
    }

    /** Decompresses the next record; returns its size, and it begins at {@link #position()} until {@link #pass}. */
    int next() throws Fault, IOException {
        fill(VARINT_BYTES);
        size.set(bytes, position, limit);
        int sizeBytes = size.varint();
        position = size.position();
        if (sizeBytes < 0) {
            throw new Fault("a record of " + sizeBytes + " bytes");
        }
        if (sizeBytes > maxRecordBytes) {
            throw new Fault("a record of " + sizeBytes + " bytes, decompressed; at most " + maxRecordBytes
                    + " are, lest a small batch takes all memory");
        }
        if (!fill(sizeBytes)) {
            throw new Fault(
                    "the end, " + (limit - position) + " bytes after the beginning of a record of " + sizeBytes);
        }
        return sizeBytes;
    }

    void pass(int sizeBytes) {
        position += sizeBytes;
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    /** Demands that nothing is left. */
    void end() throws Fault, IOException {
        if (fill(1)) {
            throw new Fault("more bytes behind its last record");
        }
    }

    /** Decompresses until so many bytes are there; false if there are fewer. */
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
