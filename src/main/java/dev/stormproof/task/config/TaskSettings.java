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
                .means("Where events are verified: bolt, in tasks after the transform; or source, in the tasks "
                        + "that read them, which is faster.");
        to.count(SPOUT_TASKS, 1, Range.atLeast(1))
                .means("How many tasks read from Kafka: the number of input partitions, or a divisor of it.");
        to.count(TRANSFORM_TASKS, 1, Range.atLeast(1)).means("How many tasks transform.");
        to.count(CHECKPOINT_TASKS, 1, Range.atLeast(1)).means("How many tasks verify.");
        to.count("audit.threads", 2, Range.between(1, 64))
                .means("How many threads of a verifying task read intervals again.");
        to.count(WORKERS, 1, Range.atLeast(1)).means("How many worker processes run.");
        to.amount("flush.interval.ms", 100, Range.between(1, 60_000))
                .means("How long output and verdicts wait for a commit.");
        to.count("flush.max.findings", 500, Range.between(1, 10_000)).means("How many findings may wait for a commit.");
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
