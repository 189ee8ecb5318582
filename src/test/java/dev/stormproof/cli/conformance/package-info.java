/** Logs in which one rule of the format is broken, and emitters before a broker. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.conformance;
