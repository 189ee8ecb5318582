/** The comparison of two logs, record by record. Pure. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof.compare;
