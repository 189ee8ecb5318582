/**
 * Proofs that travel: receipts of events, statements over ranges, and the notary's notes on topics without signing producers.
 *
 * <pre>
 *   receipt, statement ──► text ──► check          notary: records ──► tree ──► signed notes, tiles, proofs
 * </pre>
 *
 * The door is {@link dev.stormproof.evidence.ProofCheck}, which needs a file and a key. This room is pure: no Kafka, no clock, no
 * thread.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.evidence;
