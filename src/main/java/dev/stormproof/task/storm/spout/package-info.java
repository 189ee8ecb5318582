/** The spout: reads the log and says of each record which one it follows. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.storm.spout;
