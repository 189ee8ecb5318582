/** Witnesses of notes: what each has seen, and the requests to them. Nobody waits for one. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.witness;
