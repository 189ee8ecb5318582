/** The transforms of events: the interface for applications, and the ones that are built in. */
@NullMarked
package dev.stormproof.transform;

import org.jspecify.annotations.NullMarked;
