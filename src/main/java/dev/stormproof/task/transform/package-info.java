/** The transforms of events: the interface for applications, and the ones that are built in. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.transform;
