/** Signatures: those over an event's content, by their algorithms, and those over checkpoints, by their keys. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.sign;
