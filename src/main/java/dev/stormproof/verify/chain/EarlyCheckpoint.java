package dev.stormproof.verify.chain;

import dev.stormproof.proof.tree.Hash;

/**
 * A checkpoint that lies before the progress though its predecessor lies after it.
 *
 * @param head what it will be once its predecessor is accepted
 * @param firstSequence the first sequence that it seals
 * @param previousHash the hash by which it names its predecessor
 */
public record EarlyCheckpoint(Head head, long firstSequence, Hash previousHash) {}
