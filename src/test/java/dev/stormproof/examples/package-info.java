/** The examples, run. */
@NullMarked
package dev.stormproof.examples;

import org.jspecify.annotations.NullMarked;
