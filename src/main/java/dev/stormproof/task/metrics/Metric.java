package dev.stormproof.task.metrics;

import io.prometheus.metrics.core.metrics.MetricWithFixedMetadata;
import java.util.List;
import java.util.Optional;

/**
 * The table of the metrics, each with its name in Prometheus and, if Storm has it as well, its name there, where it is of one task and
 * without labels. Every metric has the label {@code group}, the topology.
 */
public enum Metric {
    BUILD("build_info", "", "1, with the version of the program.", Labels.VERSION),
    EVENTS("events_total", "events", "Events that were read to be verified.", Labels.PARTITION),
    VERDICTS(
            "verdicts_total",
            "",
            "Intervals with a verdict. An unsealed one counts again if its final verdict differs.",
            Labels.VERDICT_OF_PARTITION),
    VERIFIED_EVENTS(
            "verified_events_total",
            "",
            "Events in intervals that were verified, by what their seals protect against.",
            Labels.STRENGTH_OF_PARTITION),
    ANOMALIES("anomalies_total", "", "Events or checkpoints that final verdicts name.", Labels.KIND_OF_PARTITION),
    STRAY_RECORDS(
            "stray_records_total",
            "",
            "Records of no stream, including ignored unsigned ones.",
            Labels.KIND_OF_PARTITION),
    MISSED_RECORDS(
            "missed_records_total",
            "",
            "Offsets that expired, or were skipped by another tool, before they were read.",
            Labels.PARTITION),
    UNDELIVERED_EVENTS(
            "undelivered_events_total",
            "",
            "Events missing from the output, because the transform failed on them.",
            Labels.KIND_OF_PARTITION),
    TRANSFORM_FAILURES(
            "transform_failures_total",
            "transform-failures",
            "Events on which the transform bolt failed.",
            Labels.GROUP),
    DETECTION_DELAY(
            "detection_delay_seconds",
            "detection-delay-seconds",
            "Seconds from the time at which a checkpoint was written, by its record, to a verdict that is counted.",
            Labels.VERDICT),
    SINCE_VERDICT(
            "seconds_since_verdict",
            "seconds-since-verdict",
            "Seconds since the last verdict on an interval, or since the task began.",
            Labels.PARTITION),
    LAG_RECORDS(
            "lag_records",
            "lag-records",
            "Offsets that were delivered and have no final verdict yet.",
            Labels.PARTITION),
    LAG_SECONDS(
            "lag_seconds",
            "lag-seconds",
            "Seconds since the oldest offset was delivered that has no final verdict yet.",
            Labels.PARTITION),
    UNREAD_RECORDS(
            "unread_records", "unread-records", "Offsets in the log that the spout has not read.", Labels.PARTITION),
    VERIFIED_OFFSET(
            "verified_offset", "", "The offset before which every record has a final verdict.", Labels.PARTITION),
    VERIFIED_TIME(
            "verified_time_seconds",
            "",
            "The time of the last record that was read before that offset, by its timestamp, in seconds since 1970.",
            Labels.PARTITION),
    OPEN_EVENTS("open_events", "open-events", "Events that no checkpoint seals yet.", Labels.PARTITION),
    OPEN_STREAMS("open_streams", "open-streams", "Streams with events that wait for a checkpoint.", Labels.PARTITION),
    SILENT_STREAMS(
            "silent_streams",
            "silent-streams",
            "Streams whose checkpoint did not come in time, and has not come since.",
            Labels.PARTITION),
    OUTPUT_HALTED(
            "output_halted",
            "outputs-halted",
            "1 while the output is halted before a record, else 0.",
            Labels.PARTITION),
    OUTPUT_HELD(
            "output_held_events",
            "output-held-events",
            "Records that were read and are not handed on to the output, because they wait for a verdict.",
            Labels.PARTITION),
    OUTPUT_HELD_SECONDS(
            "output_held_seconds",
            "output-held-seconds",
            "Seconds for which the first of them has waited.",
            Labels.PARTITION),
    OUTPUT_UNVERIFIED(
            "output_unverified_events",
            "output-unverified-events",
            "Events that the output left out or marked, because they are not verified, since its task began.",
            Labels.PARTITION),
    PARTITIONS(
            "partitions",
            "",
            "Partitions that are verified, each in one state: following, reading its log, failing to, or its output halted.",
            Labels.STATE),
    INPUT_PARTITIONS(
            "input_partitions",
            "input-partitions",
            "Partitions of the input topics, as Kafka last reported.",
            Labels.GROUP),
    AUDIT_JOBS("audit_jobs", "audit-jobs", "Audits of the log that wait or run.", Labels.GROUP),
    LOG_LAG("log_lag_records", "log-lag", "Delivered records that are still to be read from the log.", Labels.GROUP),
    VERIFICATION_BYTES(
            "verification_bytes",
            "verification-bytes",
            "The approximate memory of streams and waiting intervals.",
            Labels.GROUP),
    OPEN_TRANSACTION(
            "open_transaction_seconds",
            "open-transaction-seconds",
            "Seconds for which a producer's open transaction has kept a partition from being read on, at most.",
            Labels.GROUP),
    KAFKA_REACHABLE(
            "kafka_reachable",
            "",
            "1 if Kafka answered every task of the worker when it was asked last, else 0.",
            Labels.GROUP),
    KAFKA_SILENT(
            "kafka_silent_seconds",
            "kafka-silent-seconds",
            "Seconds for which Kafka has not answered; 0 if it does.",
            Labels.GROUP),
    NOTARY_FAILING(
            "notary_failing",
            "",
            "1 while a partition gets no notes, because its log or its last note cannot be read.",
            Labels.PARTITION),
    CANARY_BLIND(
            "canary_blind",
            "",
            "1 while planted faults are not reported in time (the verifier is blind), else 0.",
            Labels.GROUP),
    CANARY_AGE(
            "canary_seconds",
            "",
            "Seconds since the last reported fault was planted, or since the canary began.",
            Labels.GROUP),
    TASKS("tasks", "", "Tasks in this worker that verify.", Labels.GROUP),
    EXPECTED_TASKS(
            "expected_tasks",
            "",
            "Tasks that should verify for the group, in all workers together: as many as its topology is configured to have.",
            Labels.GROUP),
    OTHER_SETTINGS(
            "other_settings",
            "",
            "1 while this process stands by, because the replicas that have the tasks run with other settings; else 0.",
            Labels.GROUP);

    private static final String PREFIX = "stormproof_";

    private final String name;
    private final String storm;
    private final String help;
    private final String labels;

    /** The sets of labels, each separated by commas. */
    private static final class Labels {
        static final String GROUP = "group";
        static final String VERSION = "group,version";
        static final String STATE = "group,state";
        static final String VERDICT = "group,verdict";
        static final String PARTITION = "group,topic,partition";
        static final String KIND_OF_PARTITION = "group,kind,topic,partition";
        static final String STRENGTH_OF_PARTITION = "group,strength,topic,partition";
        static final String VERDICT_OF_PARTITION = "group,verdict,topic,partition";
    }

    Metric(String name, String storm, String help, String labels) {
        this.name = PREFIX + name;
        this.storm = storm;
        this.help = help;
        this.labels = labels;
    }

    public String prometheusName() {
        return name;
    }

    public Optional<String> stormName() {
        return Optional.of(storm).filter(known -> !known.isEmpty());
    }

    public List<String> labels() {
        return List.of(labels.split(",", -1));
    }

    <B extends MetricWithFixedMetadata.Builder<B, ?>> B describe(B builder) {
        return builder.name(name).help(help).labelNames(labels().toArray(String[]::new));
    }
}
