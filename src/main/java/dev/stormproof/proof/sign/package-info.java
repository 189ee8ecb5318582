/** Signatures over events, by their algorithms, and over checkpoints, by their keys. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.sign;
