/** How far a group has come: the committed offsets and what is written beside them. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.live.progress;
