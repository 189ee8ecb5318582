/** The commands: their options, and what of the rest each of them starts. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.command;
