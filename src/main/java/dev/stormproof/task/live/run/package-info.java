/** A task that runs: deliveries are verified, the log is asked, and findings, output and progress go into one transaction. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.live.run;
