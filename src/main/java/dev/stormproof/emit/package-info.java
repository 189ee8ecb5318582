/**
 * Upstream's producer signs events, and writes checkpoints into the same partition.
 *
 * <pre>
 *   send ──► serialize, sign ──► stream of the partition ──► tree ──► checkpoint, in the order of acknowledgements
 * </pre>
 *
 * The door is {@link dev.stormproof.emit.CheckpointingProducer}, a Kafka {@code Producer}; {@link dev.stormproof.emit.HideCheckpoints}
 * keeps checkpoints from consumers that do not expect them. What an application compiles against is in this room and in
 * {@code proof}.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.emit;
