package dev.stormproof.proof.checkpoint;

import java.util.Arrays;

/** Fuzz target: whatever the decoder of format 1 accepts is written back as the same bytes; the rest it refuses. */
public final class Format1Fuzz {
    private Format1Fuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        Format1Checkpoint checkpoint;
        try {
            checkpoint = Format1Codec.decode("orders", 0, data);
        } catch (MalformedCheckpointException refused) {
            return;
        }
        if (!Arrays.equals(Format1Codec.encode(checkpoint.signatures()), data)) {
            throw new AssertionError("not the canonical form of " + checkpoint);
        }
    }
}
