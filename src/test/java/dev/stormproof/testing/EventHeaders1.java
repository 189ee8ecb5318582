package dev.stormproof.testing;

import dev.stormproof.checkpoint.EventHeader;
import java.nio.ByteBuffer;

/** Event headers of version 1, as emitters wrote them before version 2. */
public final class EventHeaders1 {
    private EventHeaders1() {}

    /** The bytes of the header {@link EventHeader#NAME_1}. */
    public static byte[] encode(EventHeader header) {
        return ByteBuffer.allocate(19 + header.signature().sizeBytes())
                .put((byte) 1)
                .putLong(header.emitter())
                .putLong(header.sequence())
                .put(header.treeHash().id())
                .put((byte) header.signatureAlgorithm())
                .put(header.signature().toByteArray())
                .array();
    }
}
