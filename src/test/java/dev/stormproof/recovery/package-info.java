/** Emitters that are killed, and those that state their ends. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.recovery;
