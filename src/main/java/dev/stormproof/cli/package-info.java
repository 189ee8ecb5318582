/** The command line. */
@NullMarked
package dev.stormproof.cli;

import org.jspecify.annotations.NullMarked;
