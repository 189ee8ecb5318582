/** The output: what the transform makes of each record of a log, appended in order and once. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.output;
