package dev.stormproof.emit;

/**
 * The statistics of one partition: the records written to it so far. Records in flight count until they fail.
 *
 * @param emitter the emitter of the partition's current stream; 0 in format 1
 * @param eventsSent events of all streams, without those of aborted transactions
 * @param checkpointsSent checkpoints of all streams, without those of aborted transactions
 * @param lastNumber the number of the current stream's last checkpoint; -1 if it has none
 * @param streamsEnded how many earlier streams ended after failures
 * @param checkpointsRefused checkpoints that the topic refused as too large, and that were restated
 * @param openEvents sent events of the current stream that no sent checkpoint covers
 * @param lastCheckpointMillis when the last acknowledged checkpoint was made, in milliseconds since 1970; -1 before the first
 */
public record EmitterStats(
        long emitter,
        long eventsSent,
        long checkpointsSent,
        long lastNumber,
        int streamsEnded,
        long checkpointsRefused,
        long openEvents,
        long lastCheckpointMillis) {
    /** The statistics of an unused partition. */
    public static final EmitterStats NONE = new EmitterStats(0, 0, 0, -1, 0, 0, 0, -1);
}
