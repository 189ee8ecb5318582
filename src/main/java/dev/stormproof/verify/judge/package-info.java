/** The judge: compares what the log holds of an interval with its checkpoint, and names what differs. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify.judge;
