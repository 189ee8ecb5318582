/** The tuples between the tasks, and the task that each partition belongs to. */
@NullMarked
package dev.stormproof.storm.tuple;

import org.jspecify.annotations.NullMarked;
