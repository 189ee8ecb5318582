/** The verifier: rebuilds the intervals of a partition, compares them with their checkpoints, and asks for the log. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.fold;
