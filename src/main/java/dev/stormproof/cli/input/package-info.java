/** The events that are sent: generated orders, or lines of a file or a pipe. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.input;
