/**
 * Chaos rounds on a living cluster: its processes are killed, stopped and moved while events flow, faulty ones among them,
 * and the alerts are compared with the injected faults and with the log. A person runs it: scripts/trial under-fire.
 */
@NullMarked
package dev.stormproof.chaos;

import org.jspecify.annotations.NullMarked;
