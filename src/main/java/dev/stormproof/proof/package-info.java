/**
 * Bytes become checkpoints: trees, signatures, the two wire formats, and what two sequences of hashes have in common.
 *
 * <pre>
 *   compare ──► align ──► tree ◄── sign ◄── checkpoint
 * </pre>
 *
 * The doors are {@link dev.stormproof.proof.tree.CompactRange}, which grows a tree leaf by leaf, and
 * {@link dev.stormproof.proof.checkpoint.LogRecordParser}, which turns a record's bytes into an event, a checkpoint or a stray.
 * This room is pure: it knows no other room, no Kafka, no clock and no thread.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.proof;
