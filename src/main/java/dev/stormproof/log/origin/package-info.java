/** The logs of the topics that others were made of: what they hold of an interval that is violated in a copy. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.log.origin;
