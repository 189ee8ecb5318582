/** The feed: makes of what a spout delivers, with gaps and repetitions, exactly what lies in the log. */
@NullMarked
package dev.stormproof.feed;

import org.jspecify.annotations.NullMarked;
