package dev.stormproof.emit;

/**
 * What was written to one partition so far. Records on their way count as written until they fail.
 *
 * @param emitter the emitter of the partition's current stream; 0 in format 1
 * @param eventsSent events of all streams, without those of aborted transactions
 * @param checkpointsSent checkpoints of all streams, without those of aborted transactions
 * @param lastNumber the number of the current stream's last checkpoint; -1 if it has none
 * @param streamsEnded how many earlier streams a failure has ended
 */
public record EmitterStats(long emitter, long eventsSent, long checkpointsSent, long lastNumber, int streamsEnded) {}
