/** The notary on Kafka: partitions in, notes and tiles out, in transactions with its progress. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.notary;
