/** The feed: turns deliveries with gaps and repetitions into exactly the records of the log. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.feed;
