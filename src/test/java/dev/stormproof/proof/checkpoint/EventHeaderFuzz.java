package dev.stormproof.proof.checkpoint;

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
        if (!Arrays.equals(header.encode(), data)) {
            throw new AssertionError("not the canonical form of " + header);
        }
    }
}
