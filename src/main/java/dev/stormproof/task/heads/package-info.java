/**
 * What is kept in Kafka of each stream at the committed progress, so that its verification goes on as if it had never stopped:
 * a compacted topic with one record for each stream, written in the transaction that commits the progress.
 *
 * <pre>
 *   start     progress and its {@link HeadsSum} ──► {@link Heads#read} ──► SavedHeads
 *   commit    SavedHeads ──► {@link Heads#update} ──► records of what has changed, and the HeadsSum beside the new progress
 * </pre>
 *
 * <p>The verifier that uses it is being built beside the one that runs.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.heads;
