/** Time stamps of RFC 3161 on proofs: asked for, and checked. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.timestamp;
