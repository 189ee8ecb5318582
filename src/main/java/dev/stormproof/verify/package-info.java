/** The verifier: rebuilds the intervals of a partition, compares them with their checkpoints, and asks for the log. */
@NullMarked
package dev.stormproof.verify;

import org.jspecify.annotations.NullMarked;
