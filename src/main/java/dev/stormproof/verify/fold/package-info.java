/** The fold: each stream is a chain of accepted checkpoints; what follows the last one is a tree, or the log is asked for its range. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.fold;
