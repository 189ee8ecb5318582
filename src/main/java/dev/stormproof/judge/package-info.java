/** The judge: compares what the log holds of an interval with its checkpoint, and names what differs. */
@NullMarked
package dev.stormproof.judge;

import org.jspecify.annotations.NullMarked;
