/** What the programs that {@code scripts/trial} and {@code scripts/bench} start have in common. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.trial;
