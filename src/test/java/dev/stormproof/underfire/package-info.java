/**
 * A living cluster under fire: its processes are killed, stopped and moved while events flow and faults are injected, and
 * what was told is compared with what was injected and with what the log holds. A person runs it: scripts/under-fire.
 */
@NullMarked
package dev.stormproof.underfire;

import org.jspecify.annotations.NullMarked;
