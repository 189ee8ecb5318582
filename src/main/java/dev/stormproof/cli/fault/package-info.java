/** Faults are injected behind the signer, for trials and tests. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.fault;
