package dev.stormproof.task.transform;

import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import org.jspecify.annotations.Nullable;

/** An event as a transform gets it. Its arrays are copies, so that no transform changes what was read. */
public final class InputEvent {
    private final String topic;
    private final int partition;
    private final long offset;
    private final RecordContent content;

    /**
     * @param timestampMillis the record's timestamp, in milliseconds since 1970
     * @param key null if it has none
     * @param value null for a tombstone
     */
    public InputEvent(
            String topic,
            int partition,
            long offset,
            long timestampMillis,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers) {
        this(topic, partition, offset, new RecordContent(key, value, headers, timestampMillis, false));
    }

    /** @param content not copied */
    public InputEvent(String topic, int partition, long offset, RecordContent content) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.content = content;
    }

    public String topic() {
        return topic;
    }

    public int partition() {
        return partition;
    }

    public long offset() {
        return offset;
    }

    public long timestampMillis() {
        return content.timestampMillis();
    }

    /** A copy of the key; null if it has none. */
    public byte @Nullable [] key() {
        byte[] key = content.key();
        return key == null ? null : key.clone();
    }

    /** A copy of the value; null for a tombstone. */
    public byte @Nullable [] value() {
        byte[] value = content.value();
        return value == null ? null : value.clone();
    }

    public HeaderBytes headers() {
        return HeaderBytes.ofEncoded(content.headers().encoded().clone());
    }

    /** What was read, not to be changed. */
    RecordContent read() {
        return content;
    }

    /** A copy of the value of the last header of that name; null if there is none, or if it has no value. */
    public byte @Nullable [] header(String name) {
        return content.headers().last(name);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
