package dev.stormproof.log.kafka;

import dev.stormproof.log.kafka.MalformedBatchException.Fault;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A record of Kafka as it is in an array: key, value and headers are offsets into it. The same object is set to one record
 * after another; callers copy what they keep.
 *
 * <pre>
 *   attributes (int8) | timestamp delta (varlong) | offset delta (varint)
 *   key size (varint), −1 for null | key | value size (varint), −1 for null | value
 *   headers (varint); each: name size (varint) | name (UTF-8) | value size (varint), −1 for null | value
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class RecordSlice implements LogRecordParser.Headers, StoredRecord {
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private final ByteSlice last = new ByteSlice();
    private final Varints in = new Varints();
    private byte[] array = new byte[0];
    private int headersBegin;
    private int headersEnd;
    private int headers;
    /** The last header, in most records the only one. */
    private int nameBegin;

    private int nameSize;
    private int valueBegin;
    private int valueSize;
    private long offset;
    private long timestampMillis;
    private int leaderEpoch;
    private int sizeBytes;
    /** Why it was not read; empty if it was. */
    private String unread = "";

    private long firstUnread;
    private long unreadCount;

    void beginBatch(int epoch) {
        leaderEpoch = epoch;
    }

    /**
     * Sets it to a record of message format 2.
     *
     * @param baseOffset the offset that the record's own is counted from
     * @param baseMillis the time that the record's own is counted from
     * @param appendMillis the time at which the broker appended the batch; negative if the producer's time counts
     */
    void set(byte[] bytes, int begin, int end, long baseOffset, long baseMillis, long appendMillis) throws Fault {
        setPlace(bytes, begin, end, baseOffset, baseMillis, appendMillis);
        sizeBytes = end - begin;
        set(key);
        set(value);
        headers = in.varint();
        headersBegin = in.position();
        if (headers < 0) {
            throw new Fault("a record with " + headers + " headers");
        }
        for (int i = 0; i < headers; i++) {
            nameSize = in.varint();
            if (nameSize < 0) {
                throw new Fault("a header name of " + nameSize + " bytes");
            }
            nameBegin = in.skip(nameSize);
            valueSize = in.varint();
            valueBegin = in.skip(Math.max(0, valueSize));
        }
        headersEnd = in.position();
        if (in.remaining() > 0) {
            throw new Fault("a record with " + in.remaining() + " bytes after its last header");
        }
    }

    /** Sets place and time from the beginning of a record. */
    void setPlace(byte[] bytes, int begin, int end, long baseOffset, long baseMillis, long appendMillis) throws Fault {
        array = bytes;
        unread = "";
        in.set(bytes, begin, end);
        in.int8();
        long deltaMillis = in.varlong();
        timestampMillis = appendMillis >= 0 ? appendMillis : baseMillis + deltaMillis;
        offset = baseOffset + in.varint();
    }

    void setUnread(long firstOffset, long lastOffset, long count, long millis, String why) {
        key.setNull();
        value.setNull();
        headers = 0;
        headersBegin = 0;
        headersEnd = 0;
        firstUnread = firstOffset;
        offset = lastOffset;
        unreadCount = count;
        timestampMillis = millis;
        unread = why;
    }

    boolean isUnread() {
        return !unread.isEmpty();
    }

    OversizedRecords unread() {
        return new OversizedRecords(firstUnread, offset, unreadCount, unread, timestampMillis);
    }

    long countedBytes() {
        if (sizeBytes < RecordLimit.SMALL_BYTES) {
            return sizeBytes;
        }
        long[] bytes = {contentBytes()};
        forEachHeader((data, nameAt, nameBytes, valueAt, valueBytes) ->
                bytes[0] += RecordLimit.HEADER_FIELDS_BYTES + nameBytes + Math.max(0, valueBytes));
        return bytes[0];
    }

    private long contentBytes() {
        return (long) RecordLimit.FIELDS_BYTES + Math.max(0, key.sizeBytes()) + Math.max(0, value.sizeBytes());
    }

    /** Sets it to a record of an older message format, which has no headers. */
    void set(byte @Nullable [] keyBytes, byte @Nullable [] valueBytes, long recordOffset, long millis) {
        key.set(keyBytes);
        value.set(valueBytes);
        sizeBytes = (int) Math.min(Integer.MAX_VALUE, contentBytes());
        unread = "";
        headers = 0;
        headersBegin = 0;
        headersEnd = 0;
        offset = recordOffset;
        timestampMillis = millis;
    }

    @Override
    public ByteSlice key() {
        return key;
    }

    @Override
    public ByteSlice value() {
        return value;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long timestampMillis() {
        return timestampMillis;
    }

    @Override
    public int leaderEpoch() {
        return leaderEpoch;
    }

    @Override
    public byte @Nullable [] last(String name) {
        return find(new HeaderName(name), last) ? last.toByteArray() : null;
    }

    @Override
    public boolean find(HeaderName name, ByteSlice taker) {
        if (headers == 1) {
            return name.isAt(array, nameBegin, nameSize) && set(taker, valueBegin, valueSize);
        }
        boolean found = false;
        try {
            in.set(array, headersBegin, headersEnd);
            for (int i = 0; i < headers; i++) {
                int size = in.varint();
                boolean same = name.isAt(array, in.skip(size), size);
                size = in.varint();
                int begin = in.skip(Math.max(0, size));
                found = same ? set(taker, begin, size) : found;
            }
        } catch (Fault fault) {
            throw new AssertionError("headers that were read before", fault);
        }
        return found;
    }

    @Override
    public int headerCount() {
        return headers;
    }

    @Override
    public void forEachHeader(HeaderTaker taker) {
        if (headers == 0) {
            return;
        }
        try {
            in.set(array, headersBegin, headersEnd);
            for (int i = 0; i < headers; i++) {
                int nameBytes = in.varint();
                int name = in.skip(nameBytes);
                int valueBytes = in.varint();
                int content = in.skip(Math.max(0, valueBytes));
                taker.take(array, name, nameBytes, content, valueBytes);
            }
        } catch (Fault fault) {
            throw new AssertionError("headers that were read before", fault);
        }
    }

    @Override
    public long unreadCount() {
        return isUnread() ? unreadCount : 0;
    }

    private boolean set(ByteSlice part, int begin, int size) {
        if (size < 0) {
            part.setNull();
            return false;
        }
        part.set(array, begin, size);
        return true;
    }

    RecordContent content() {
        return new RecordContent(key.toByteArray(), value.toByteArray(), headerBytes(), timestampMillis, false);
    }

    private HeaderBytes headerBytes() {
        // Each size takes four bytes there, and one to five here.
        ByteBuffer out = ByteBuffer.allocate(headersEnd - headersBegin + 2 * Integer.BYTES * headers);
        forEachHeader((data, nameAt, nameBytes, valueAt, valueBytes) -> out.putInt(nameBytes)
                .put(data, nameAt, nameBytes)
                .putInt(Math.max(-1, valueBytes))
                .put(data, valueAt, Math.max(0, valueBytes)));
        byte[] encoded = new byte[out.position()];
        out.flip().get(encoded);
        return HeaderBytes.ofEncoded(encoded);
    }

    private void set(ByteSlice part) throws Fault {
        int size = in.varint();
        boolean unused = set(part, size < 0 ? 0 : in.skip(size), size);
    }
}
