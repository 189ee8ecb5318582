package dev.stormproof.task.config;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** How many tasks do the work, where, and how long what they found waits. */
public record TaskSettings(
        TrackerPlacement placement,
        int spouts,
        int transforms,
        int checkpoints,
        int auditThreads,
        int workers,
        long flushIntervalMillis,
        int flushMaxFindings) {
    public static final String TRACKER_PLACEMENT = "tracker.placement";
    public static final String SPOUT_TASKS = "spout.tasks";
    public static final String TRANSFORM_TASKS = "transform.tasks";
    public static final String CHECKPOINT_TASKS = "checkpoint.tasks";
    private static final String WORKERS = "workers";

    static void define(Settings to) {
        ValidString placements = ValidString.in(TrackerPlacement.labels().toArray(new String[0]));
        to.text(TRACKER_PLACEMENT, TrackerPlacement.BOLT.label(), placements)
                .means("Where events are verified: bolt, in tasks of their own after the transform; or source,"
                        + " in the tasks that read them, which is faster. There the transform runs only if there"
                        + " is an output.");
        to.count(SPOUT_TASKS, 1, Range.atLeast(1))
                .means("How many tasks read from Kafka: as many as the input has partitions, or a divisor of that.");
        to.count(TRANSFORM_TASKS, 1, Range.atLeast(1))
                .means("How many tasks transform events; a partition always goes to the same task.");
        to.count(CHECKPOINT_TASKS, 1, Range.atLeast(1))
                .means("How many tasks verify; a partition always goes to the same task.");
        to.count("audit.threads", 2, Range.between(1, 64))
                .means("How many threads of each verifying task read intervals again, each with its own client.");
        to.count(WORKERS, 1, Range.atLeast(1)).means("How many worker processes to run.");
        to.amount("flush.interval.ms", 100, Range.between(1, 60_000))
                .means("How long output and verdicts wait at most before they are committed. Alerts are"
                        + " written with the next batch of records; progress alone is committed at most once a"
                        + " second.");
        to.count("flush.max.findings", 500, Range.between(1, 10_000))
                .means("How many findings wait at most before they are committed.");
    }

    static TaskSettings of(AbstractConfig values) {
        return new TaskSettings(
                TrackerPlacement.of(values.getString(TRACKER_PLACEMENT)),
                values.getInt(SPOUT_TASKS),
                values.getInt(TRANSFORM_TASKS),
                values.getInt(CHECKPOINT_TASKS),
                values.getInt("audit.threads"),
                values.getInt(WORKERS),
                values.getLong("flush.interval.ms"),
                values.getInt("flush.max.findings"));
    }

    public int verifying() {
        return placement == TrackerPlacement.SOURCE ? spouts : checkpoints;
    }

    void check(OutputSettings output, ConfigErrors mistakes) {
        mistakes.takeIf(
                placement == TrackerPlacement.SOURCE
                        && !output.transform().equals(OutputSettings.NO_TRANSFORM)
                        && !output.isAny(),
                TRACKER_PLACEMENT + "=" + placement.label() + " has no transform bolt, so that "
                        + OutputSettings.TRANSFORM + "=" + output.transform() + " would never run without "
                        + OutputSettings.OUTPUT_TOPIC + ": set that, or leave one of them out");
    }
}
