package dev.stormproof.transform;

import org.jspecify.annotations.Nullable;

/**
 * The function that makes one value-added event of each event. Applications implement it and name the class in {@code transform}.
 *
 * <p>An implementation needs a public constructor without parameters. Each task makes its own instance on its worker
 * and calls it from one thread, with the events of each of its partitions in their order. It must not change the
 * arrays that it is given, and should return the same result whenever it is given the same event: after a crash it is
 * asked again.
 *
 * <p>It is never shown a checkpoint. If it throws a {@link RuntimeException}, the event goes on with the value that was
 * read, and the exception is reported to Storm; the proof is not touched by that, because it rests on the value that was
 * read.
 */
@FunctionalInterface
public interface EventTransform {
    /**
     * Makes the value of the event to come from the event that was read.
     *
     * @param source the place of the event
     * @param key its key, null if it has none
     * @param value its value, null for a tombstone
     * @return the new value; null for a tombstone
     */
    byte @Nullable [] apply(Source source, byte @Nullable [] key, byte @Nullable [] value);

    /**
     * The place of an event.
     *
     * @param timestampMillis the record's timestamp, since the epoch of 1970
     */
    record Source(String topic, int partition, long offset, long timestampMillis) {}
}
