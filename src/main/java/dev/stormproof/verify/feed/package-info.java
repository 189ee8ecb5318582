/** The feed: makes of what a spout delivers, with gaps and repetitions, exactly what lies in the log. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.feed;
