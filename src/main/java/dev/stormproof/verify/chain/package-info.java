/** The chain of accepted checkpoints of each stream, and what of it is committed with the progress. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.chain;
