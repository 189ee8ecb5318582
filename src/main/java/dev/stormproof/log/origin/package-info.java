/** Reads the logs of origins: what they hold of an interval that is violated in a copy. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.log.origin;
