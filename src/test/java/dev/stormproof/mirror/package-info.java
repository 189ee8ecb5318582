/** A mirror as its users run it: MirrorMaker 2 between two brokers, whole and broken, and the audit of its target. */
@NullMarked
package dev.stormproof.mirror;

import org.jspecify.annotations.NullMarked;
