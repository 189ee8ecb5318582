/** Topics that come, grow, are deleted or cannot be read while a task runs. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.live.watch;
