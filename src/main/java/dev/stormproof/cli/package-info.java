/** The command line runs the pipeline, or parts of it, and prints the verdict. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli;
