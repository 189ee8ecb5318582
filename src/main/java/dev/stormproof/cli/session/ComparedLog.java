package dev.stormproof.cli.session;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.compare.LogComparison;
import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A partition of Kafka that is compared, as it was at the beginning: each record by SHA-256 over key and value, its body, and over that
 * and its headers, its content.
 *
 * <pre>
 *   body     key size (int32), −1 for null | key | value size (int32), −1 for null | value
 *   content  hash of the body | headers, see {@link HeaderBytes}
 * </pre>
 *
 * <p>It is read a piece at a time, of which hashes alone are kept. What is too large to be read is left out, and counted.
 */
public final class ComparedLog implements RecordLog, AutoCloseable {
    private static final HeaderName CHECKPOINT = new HeaderName(Format2Checkpoint.HEADER);
    private static final int PIECE_RECORDS = LogComparison.MOST_HELD;
    private static final long PIECE_BYTES = 16 << 20;

    private final LogReader log;
    private final TopicPartition partition;
    private final PartitionReader reader;
    private final long begin;
    private final long end;
    private final long writtenEnd;
    private final List<HeaderName> ignored;
    private final Queue<Entry> piece = new ArrayDeque<>();
    private final ByteSlice header = new ByteSlice();
    private final MessageDigest digest;
    /** The offset at which reading goes on. */
    private long next;

    private long pieceBytes;
    private boolean checkpoints;
    private LeftOut leftOut = LeftOut.NONE;

    /**
     * @param log reads what is committed; closed with this
     * @param writtenEnd where the log ended just now, with the records of open transactions
     * @param ignored the headers that are not compared
     */
    public ComparedLog(LogReader log, TopicPartition partition, long writtenEnd, List<HeaderName> ignored) {
        this.log = log;
        this.ignored = List.copyOf(ignored);
        this.partition = partition;
        this.digest = sha256();
        this.reader = log.of(partition);
        PartitionReader.Bounds bounds = reader.bounds();
        this.end = bounds.end();
        this.begin = Math.min(end, bounds.begin());
        this.writtenEnd = Math.max(end, writtenEnd);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public long beginOffset() {
        return begin;
    }

    @Override
    public long endOffset() {
        return end;
    }

    @Override
    public long writtenEnd() {
        return writtenEnd;
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }

    boolean hasCheckpoints() {
        return checkpoints;
    }

    @Override
    public @Nullable Entry next() {
        while (piece.isEmpty() && next < end) {
            readOn();
        }
        return piece.poll();
    }

    private void readOn() {
        long from = next;
        next = end;
        pieceBytes = 0;
        try {
            reader.scan(from, end, this::take);
        } catch (ExpiredRangeException expired) {
            throw new TimeoutException(
                    partition + " no longer holds offset " + from
                            + ": its records expire faster than they can be compared",
                    expired);
        }
    }

    private boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content) {
        if (record instanceof OversizedRecords oversized) {
            leftOut =
                    leftOut.and(oversized.firstOffset(), oversized.offset() + 1, oversized.count(), oversized.detail());
            return true;
        }
        boolean full = piece.size() >= PIECE_RECORDS || pieceBytes >= PIECE_BYTES;
        if (full) {
            next = record.offset();
        } else {
            piece.add(entry(record.offset(), content.get()));
        }
        return !full;
    }

    private Entry entry(long offset, RecordContent content) {
        update(content.key());
        update(content.value());
        byte[] body = digest.digest();
        HeaderBytes headers = content.headers();
        for (HeaderName name : ignored) {
            headers = headers.without(name);
        }
        digest.update(body);
        digest.update(headers.encoded());
        pieceBytes += content.sizeBytes();
        checkpoints |= content.headers().find(CHECKPOINT, header);
        return new Entry(offset, Hash.copyOf(digest.digest()), Hash.copyOf(body));
    }

    private void update(byte @Nullable [] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(bytes == null ? -1 : bytes.length)
                .flip());
        if (bytes != null) {
            digest.update(bytes);
        }
    }

    @Override
    public void seek(long offset) {
        piece.clear();
        next = offset;
    }

    @Override
    public void close() {
        log.close();
    }
}
