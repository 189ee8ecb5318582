/** Where workers serve their metrics, as members of a group of Kafka say, and Prometheus asks. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.discovery;
