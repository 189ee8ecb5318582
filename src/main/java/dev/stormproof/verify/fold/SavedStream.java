package dev.stormproof.verify.fold;

import dev.stormproof.proof.tree.Hash;
import java.util.List;

/**
 * What must be known of one stream at the committed progress.
 *
 * @param emitter the stream's emitter; 0 of the stream of format 1
 * @param heads its last accepted checkpoints in the order in which they were accepted: 1 to {@value #MOST_HEADS}
 * @param anchored false if records after the last head may not have been read
 * @param passed true if the progress has passed events after the last head, which were reported as unsealed
 * @param givenUp true if that was reported, and no checkpoint has come since
 * @param flawed true if any interval before the progress was not verified
 * @param dropped the last checkpoints that were off the chain, by offset: at most {@value #MOST_DROPPED}
 */
public record SavedStream(
        long emitter,
        List<Head> heads,
        boolean anchored,
        boolean passed,
        boolean givenUp,
        boolean flawed,
        List<Dropped> dropped) {
    /** A checkpoint that continued nothing, and that nothing continued: it seals nothing in any other place either. */
    public record Dropped(long offset, Hash hash) {}

    public static final int MOST_HEADS = 8;
    public static final int MOST_DROPPED = 16;

    /** @throws IllegalArgumentException if there are none or too many of something */
    public SavedStream {
        heads = List.copyOf(heads);
        dropped = List.copyOf(dropped);
        if (heads.isEmpty() || heads.size() > MOST_HEADS || dropped.size() > MOST_DROPPED) {
            throw new IllegalArgumentException(heads.size() + " heads and " + dropped.size() + " dropped checkpoints");
        }
    }

    /** The same, if it is unknown whether its intervals were verified. */
    SavedStream asFlawed() {
        return new SavedStream(emitter, heads, anchored, passed, givenUp, true, dropped);
    }
}
