/** The verification of some partitions on Kafka: progress, audits, alerts; without Storm. */
@NullMarked
package dev.stormproof.live;

import org.jspecify.annotations.NullMarked;
