/** Aligns two sequences of leaves: which stayed in order, moved, are missing, or are extra. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.align;
