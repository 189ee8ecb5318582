/**
 * How much damage to an interval goes unnoticed by its root: the program behind docs/DETECTION.md, run by
 * scripts/detection, and in short by a test.
 */
@NullMarked
package dev.stormproof.detection;

import org.jspecify.annotations.NullMarked;
