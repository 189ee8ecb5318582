/**
 * Kafka's log is read: bytes from brokers, ranges for the verifier's questions and for audits, and another cluster's log.
 *
 * <pre>
 *   kafka ──► audit ◄── origin
 * </pre>
 *
 * The doors are {@link dev.stormproof.log.audit.PartitionReader}, which an audit reads through, and
 * {@link dev.stormproof.log.kafka.KafkaLogReader}, which reads from brokers. Only {@code kafka} knows Kafka's clients.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.log;
