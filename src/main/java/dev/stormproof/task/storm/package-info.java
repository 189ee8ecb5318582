/** Transform and verifier as a Storm topology: what Storm calls. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.storm;
