package dev.stormproof.task.metrics;

/**
 * A status says how far this worker's verification has come, over all of its tasks.
 *
 * @param tasks how many tasks verify here; none of a standby, and as long as it begins
 * @param partitions how many partitions they verify
 * @param atEnd how many of these are verified up to the last record that was delivered
 * @param verifiedSeconds the time, since 1970, up to which the records of the others are verified, all of them; negative if that is not
 *     known yet of one
 * @param lagRecords how many offsets of those lie behind the verified progress
 * @param events how many events were read
 * @param openEvents how many of them wait for a checkpoint
 * @param alarms how many findings say that something is not verified, each once
 * @param silentSeconds for how long Kafka has not answered; 0 if it does
 */
public record WorkerStatus(
        int tasks,
        int partitions,
        int atEnd,
        double verifiedSeconds,
        long lagRecords,
        long events,
        long openEvents,
        long alarms,
        double silentSeconds) {}
