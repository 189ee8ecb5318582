/** Compares two logs, record by record. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.compare;
