/**
 * Records become verdicts: the log of a partition is made whole, its checkpoints are chained, and what differs is named.
 *
 * <pre>
 *   deliveries ──► feed ──► chain ──► judge ──► findings
 *                    ▲        │
 *                    └─ log ◄─┘ asks for what it did not keep
 * </pre>
 *
 * The door is {@link dev.stormproof.verify.fold.ChainVerifier}. This room is pure: records, answers and the time come in as
 * parameters, findings and questions go out as values.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.verify;
