/**
 * Measures how much damage to an interval its root does not show, for docs/DETECTION.md; scripts/trial detection runs it, and in short
 * a test.
 */
@NullMarked
package dev.stormproof.detection;

import org.jspecify.annotations.NullMarked;
