package dev.stormproof.transform;

import dev.stormproof.feed.HeaderBytes;
import org.jspecify.annotations.Nullable;

/** An event as a transform sees it. Its arrays must not be changed. */
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

    /** The key; null if it has none. */
    public byte @Nullable [] key() {
        return key;
    }

    /** The value; null for a tombstone. */
    public byte @Nullable [] value() {
        return value;
    }

    public HeaderBytes headers() {
        return headers;
    }

    /** The value of the last header of that name; null if there is none, or if it has no value. */
    public byte @Nullable [] header(String name) {
        return headers.last(name);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
