package dev.stormproof.feed;

import org.jspecify.annotations.Nullable;

/**
 * The content of a record, which the feed carries along for a sink that writes it elsewhere. Arrays are not copied and must not
 * be changed.
 *
 * @param key null if it has none
 * @param value null if it has none
 * @param timestampMillis when the record was written, by the producer's clock or the broker's, as the topic is configured
 * @param transformed true if key, value and headers are the ones that the transform made
 */
public record RecordContent(
        byte @Nullable [] key,
        byte @Nullable [] value,
        HeaderBytes headers,
        long timestampMillis,
        boolean transformed) {
    /** About how much memory it takes, in bytes. */
    public long sizeBytes() {
        return (key == null ? 0 : key.length) + (value == null ? 0 : value.length) + headers.encoded().length;
    }
}
