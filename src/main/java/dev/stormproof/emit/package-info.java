/** Upstream's producer signs events, and puts checkpoints into the same partition. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.emit;
