package dev.stormproof.emit;

import dev.stormproof.proof.tree.Hash;

/**
 * The position of a checkpoint in its stream: its number, its first sequence and its predecessor.
 *
 * <pre>
 *   … #(number-1) ── previousHash ──▶ #number, which seals [firstSequence, …)
 * </pre>
 *
 * @param number the checkpoint's number
 * @param firstSequence the first sequence of its interval
 * @param previousHash the chain hash of its predecessor; empty in number 0 and in format 1
 */
record CheckpointPosition(long number, long firstSequence, Hash previousHash) {}
