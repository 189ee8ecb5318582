/** Hashes, leaves and Merkle trees over bytes. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.tree;
