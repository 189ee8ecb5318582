package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;

/**
 * A place in a stream's chain that was stated once, in a checkpoint that may not have arrived, and is stated again when
 * the stream is closed.
 *
 * @param number the checkpoint's number
 * @param firstSequence the first sequence of its interval
 * @param previousHash the chain hash of its predecessor; empty in number 0
 */
record Restatement(long number, long firstSequence, Hash previousHash) {
    static Restatement of(Draft draft) {
        return new Restatement(draft.number, draft.firstSequence, draft.previousHash);
    }
}
