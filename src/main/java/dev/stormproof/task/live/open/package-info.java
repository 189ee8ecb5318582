/** The start of a task: its progress is read, its producer fenced, its parts are put together; and its restart. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.live.open;
