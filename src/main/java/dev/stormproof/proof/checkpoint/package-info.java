/** Upstream's statements about its events: identities, intervals and both wire formats. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.checkpoint;
