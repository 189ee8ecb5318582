/** The texts of reports, alerts and progress, what they count, and the exit codes. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.text;
