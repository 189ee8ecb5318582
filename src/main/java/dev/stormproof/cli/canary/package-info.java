/** Faults that are planted to be found, and whether they are told in time. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.canary;
