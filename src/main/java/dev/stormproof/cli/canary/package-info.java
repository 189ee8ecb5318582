/** Faults that are planted to be found, and whether they are reported in time. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.canary;
