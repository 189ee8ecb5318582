/** Faults before, in and behind a transform, and whether each is named on its hop. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.blame;
