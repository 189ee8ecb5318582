/** The mathematics: hashes, leaves and Merkle trees. Knows bytes and nothing else. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.tree;
