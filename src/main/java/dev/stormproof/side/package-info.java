/** The checkpoints of a side topic among the events of theirs: two logs as one, and what is told of it in the terms of both. */
@NullMarked
package dev.stormproof.side;

import org.jspecify.annotations.NullMarked;
