/** The output for people: the terminal, which makes control characters visible, and failures with their exit codes. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.terminal;
