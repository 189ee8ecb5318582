/** Faults are injected behind the signer, for trials and tests. */
@NullMarked
package dev.stormproof.fault;

import org.jspecify.annotations.NullMarked;
