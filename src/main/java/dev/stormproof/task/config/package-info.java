/** The settings, as a Kafka-style ConfigDef and typed values. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.config;
