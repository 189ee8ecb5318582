/** The verification in processes without Storm, which share its tasks among them. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.process;
