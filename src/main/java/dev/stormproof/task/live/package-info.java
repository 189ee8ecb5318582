/** The verification of some partitions on Kafka, without Storm: opened, run, and its topics and progress watched. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.live;
