/** The verification of some partitions on Kafka: progress, audits, alerts; without Storm. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.live;
