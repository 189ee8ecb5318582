package dev.stormproof.verify.feed;

import org.jspecify.annotations.Nullable;

/**
 * The content of a record, which the feed carries along for a sink that writes it elsewhere. Arrays are not copied and must not
 * be changed.
 */
public final class RecordContent {
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;
    private final long timestampMillis;
    private final boolean transformed;

    /**
     * @param key null if it has none
     * @param value null if it has none
     * @param timestampMillis when the record was written, by the producer's clock or the broker's, as the topic is configured
     * @param transformed true if key, value and headers are the ones that the transform made
     */
    public RecordContent(
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            long timestampMillis,
            boolean transformed) {
        this.key = key;
        this.value = value;
        this.headers = headers;
        this.timestampMillis = timestampMillis;
        this.transformed = transformed;
    }

    public byte @Nullable [] key() {
        return key;
    }

    public byte @Nullable [] value() {
        return value;
    }

    public HeaderBytes headers() {
        return headers;
    }

    public long timestampMillis() {
        return timestampMillis;
    }

    public boolean transformed() {
        return transformed;
    }

    /** The size of key, value and headers. */
    public long sizeBytes() {
        return (key == null ? 0L : key.length) + (value == null ? 0L : value.length) + headers.encoded().length;
    }
}
