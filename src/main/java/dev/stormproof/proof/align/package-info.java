/** The alignment of two sequences of leaves: what stayed in order, what moved, what is missing or extra. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.align;
