package dev.stormproof.transform;

import dev.stormproof.feed.HeaderBytes;
import org.jspecify.annotations.Nullable;

/**
 * An event as a transform sees it. Its arrays must not be changed.
 *
 * @param timestampMillis the record's timestamp, since the epoch of 1970
 * @param key null if it has none
 * @param value null for a tombstone
 */
public record InputEvent(
        String topic,
        int partition,
        long offset,
        long timestampMillis,
        byte @Nullable [] key,
        byte @Nullable [] value,
        HeaderBytes headers) {
    /** The value of the last header of that name; null if there is none, or if it has no value. */
    public byte @Nullable [] header(String name) {
        return headers.last(name);
    }
}
