/** System A signs events and puts checkpoints into the same partition. */
@NullMarked
package dev.stormproof.emit;

import org.jspecify.annotations.NullMarked;
