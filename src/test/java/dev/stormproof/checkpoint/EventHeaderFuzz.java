package dev.stormproof.checkpoint;

import dev.stormproof.testing.EventHeaders1;
import java.util.Arrays;

/** Fuzz target: whatever event header is accepted is written back as the same bytes; the rest is refused. */
public final class EventHeaderFuzz {
    private EventHeaderFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        EventHeader header;
        try {
            header = EventHeader.decode(data);
        } catch (MalformedCheckpointException refused) {
            return;
        }
        byte[] written = data[0] == 1 ? EventHeaders1.encode(header) : header.encode();
        if (!Arrays.equals(written, data)) {
            throw new AssertionError("not the canonical form of " + header);
        }
    }
}
