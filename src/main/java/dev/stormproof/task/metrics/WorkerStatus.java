package dev.stormproof.task.metrics;

/**
 * How far the verification of all tasks of this worker has come.
 *
 * @param tasks how many tasks verify here; 0 in a standby, and at the start
 * @param partitions how many partitions they verify
 * @param atEnd how many of these are verified up to the last delivered record
 * @param verifiedSeconds the time, since 1970, up to which all others are verified; negative if that of one is unknown
 * @param lagRecords how many delivered offsets of the others are not verified yet
 * @param events how many events were read
 * @param openEvents how many of them wait for a checkpoint
 * @param alarms how many findings are not {@code verified}, each once
 * @param silentSeconds for how long Kafka has not answered; 0 if it does
 * @param otherSettings true while it stands by, because others have the tasks with other settings
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
        double silentSeconds,
        boolean otherSettings) {}
