/** The tuples between the tasks, and the task that each partition belongs to. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.storm.tuple;
