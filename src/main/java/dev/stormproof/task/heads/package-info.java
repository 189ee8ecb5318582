/**
 * The last checkpoints of each stream at the committed progress, kept in Kafka so that its verification goes on as if it had never stopped:
 * a compacted topic with one record for each stream, written in the transaction that commits the progress.
 *
 * <pre>
 *   start     progress and its {@link HeadsSum} ──► {@link Heads#read} ──► SavedHeads
 *   commit    SavedHeads ──► {@link Heads#update} ──► records of what has changed, and the HeadsSum beside the new progress
 * </pre>
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.heads;
