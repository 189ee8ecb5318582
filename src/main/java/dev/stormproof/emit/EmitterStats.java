package dev.stormproof.emit;

/**
 * The statistics of one partition count the records written to it so far. Records in flight count until they fail.
 *
 * @param emitter the emitter of the partition's current stream; 0 in format 1
 * @param eventsSent events of all streams, without those of aborted transactions
 * @param checkpointsSent checkpoints of all streams, without those of aborted transactions
 * @param lastNumber the number of the current stream's last checkpoint; -1 if it has none
 * @param streamsEnded how many earlier streams a failure has ended
 * @param checkpointsRefused checkpoints that the topic refused as too large, and which were stated again
 * @param openEvents events of the current stream that no checkpoint covers which was sent
 * @param lastCheckpointMillis when the last checkpoint that arrived was made, in Unix milliseconds; -1 before the first
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
    /** The statistics of a partition that nothing was written to. */
    public static final EmitterStats NONE = new EmitterStats(0, 0, 0, -1, 0, 0, 0, -1);
}
