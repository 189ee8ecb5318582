/** The tree of a partition's records, the notes on it, and what they prove. Pure: no Kafka, clock, thread. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.evidence.notary;
