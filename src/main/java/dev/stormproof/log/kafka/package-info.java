/** Readers of logs on Kafka: bytes from brokers, and the records in them. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.log.kafka;
