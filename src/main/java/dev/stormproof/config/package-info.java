/** The settings, as a Kafka-style ConfigDef and typed values. */
@NullMarked
package dev.stormproof.config;

import org.jspecify.annotations.NullMarked;
