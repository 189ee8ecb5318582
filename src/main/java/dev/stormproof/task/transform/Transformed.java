package dev.stormproof.task.transform;

import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import org.jspecify.annotations.Nullable;

/**
 * The event that a transform makes of another: a value, and optionally another key and further headers. A transform cannot change the
 * partition, the timestamp, or the headers that the event had.
 */
public final class Transformed {
    /** The prefix of headers that applications must not use. */
    public static final String RESERVED = "stormproof-";

    /** Another header that applications must not use. */
    private static final String EVENT_HEADER = "sp-e";

    private final byte @Nullable [] value;
    private final boolean otherKey;
    private final byte @Nullable [] key;
    private final HeaderBytes added;

    private Transformed(byte @Nullable [] value, boolean otherKey, byte @Nullable [] key, HeaderBytes added) {
        this.value = value;
        this.otherKey = otherKey;
        this.key = key;
        this.added = added;
    }

    /** An event of this value; null for a tombstone. */
    public static Transformed of(byte @Nullable [] value) {
        return new Transformed(value, false, null, HeaderBytes.NONE);
    }

    /** This event with another key, or null for none. It stays in its partition. */
    public Transformed withKey(byte @Nullable [] newKey) {
        return new Transformed(value, true, newKey, added);
    }

    /** This event with one more header; throws {@link IllegalArgumentException} if its name is reserved. */
    public Transformed withHeader(String name, byte @Nullable [] headerValue) {
        if (name.startsWith(RESERVED) || name.equals(EVENT_HEADER)) {
            throw new IllegalArgumentException("the header " + EVENT_HEADER + ", and those whose names begin with "
                    + RESERVED + ", are not for transforms: " + name);
        }
        return new Transformed(value, otherKey, key, added.plus(name, headerValue));
    }

    public byte @Nullable [] value() {
        return value;
    }

    /** The content of the event that was made of {@code input}: its headers are those that the input had, then the further ones. */
    public RecordContent contentFor(InputEvent input) {
        RecordContent read = input.read();
        return new RecordContent(
                otherKey ? key : read.key(), value, read.headers().plus(added), read.timestampMillis(), true);
    }
}
