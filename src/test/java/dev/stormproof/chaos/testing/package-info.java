/** Helpers of the tests of the chaos rounds. */
@NullMarked
package dev.stormproof.chaos.testing;

import org.jspecify.annotations.NullMarked;
