/** The verifier: rebuilds the intervals of a partition, compares them with their checkpoints, and queries the log. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.fold;
