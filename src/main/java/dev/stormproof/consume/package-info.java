/** Downstream's consumer hands out what a topology has verified, and nothing else. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.consume;
