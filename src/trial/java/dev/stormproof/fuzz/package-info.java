/** A fuzzer of records: every field at its extremes, against a running topology with an output. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.fuzz;
