/** Faults that are injected after signing, for trials and tests. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.fault;
