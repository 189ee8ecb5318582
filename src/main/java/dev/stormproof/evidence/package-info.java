/** Proofs that stand alone: receipts of single events and statements over ranges, their bytes, and how they are checked. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.evidence;
