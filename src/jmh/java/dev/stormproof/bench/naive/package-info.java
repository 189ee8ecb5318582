/** What the benchmarks compare with: the same tasks, written in the obvious way. */
@NullMarked
package dev.stormproof.bench.naive;

import org.jspecify.annotations.NullMarked;
