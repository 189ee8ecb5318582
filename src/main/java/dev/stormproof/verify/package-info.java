/** The verdict: rebuilds intervals, compares them with their checkpoints and names what differs. */
@NullMarked
package dev.stormproof.verify;

import org.jspecify.annotations.NullMarked;
