/** Benchmarks and what they are compared with. Run by scripts/bench; docs/PERFORMANCE.md holds the figures. */
@NullMarked
package dev.stormproof.bench;

import org.jspecify.annotations.NullMarked;
