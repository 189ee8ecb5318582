/** The command line runs the pipeline, or parts of it, and prints the verdict. */
@NullMarked
package dev.stormproof.cli;

import org.jspecify.annotations.NullMarked;
