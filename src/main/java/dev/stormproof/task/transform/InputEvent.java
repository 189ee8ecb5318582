package dev.stormproof.task.transform;

import dev.stormproof.verify.feed.HeaderBytes;
import org.jspecify.annotations.Nullable;

/** An event as a transform sees it. The arrays that it hands out are copies, so that no transform changes what was read. */
public final class InputEvent {
    private final String topic;
    private final int partition;
    private final long offset;
    private final long timestampMillis;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;

    /**
     * @param timestampMillis the record's timestamp, since the epoch of 1970
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
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.timestampMillis = timestampMillis;
        this.key = key;
        this.value = value;
        this.headers = headers;
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
        return timestampMillis;
    }

    /** A copy of the key; null if it has none. */
    public byte @Nullable [] key() {
        return key == null ? null : key.clone();
    }

    /** A copy of the value; null for a tombstone. */
    public byte @Nullable [] value() {
        return value == null ? null : value.clone();
    }

    /** A copy of the headers. */
    public HeaderBytes headers() {
        return HeaderBytes.ofEncoded(headers.encoded().clone());
    }

    byte @Nullable [] readKey() {
        return key;
    }

    /** The value that was read, not to be changed: for transforms of our own, which do not. */
    byte @Nullable [] readValue() {
        return value;
    }

    HeaderBytes readHeaders() {
        return headers;
    }

    /** A copy of the value of the last header of that name; null if there is none, or if it has no value. */
    public byte @Nullable [] header(String name) {
        return headers.last(name);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
