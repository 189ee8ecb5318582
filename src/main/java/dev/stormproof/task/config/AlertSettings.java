package dev.stormproof.task.config;

import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;

/**
 * The topics and links of alerts and verdicts.
 *
 * @param runbookBaseUrl precedes the handbook's path; may be empty
 * @param auditCommand the beginning of the command that reads the log again
 * @param recordUrl the template of links to records; an empty one makes none
 */
public record AlertSettings(
        String topic,
        Optional<String> verdictsTopic,
        String runbookBaseUrl,
        String auditCommand,
        RecordUrlTemplate recordUrl) {
    /** The verdicts topic that is none. */
    public static final String NO_VERDICTS = "none";

    public static final String ALERTS_TOPIC = "alerts.topic";
    public static final String VERDICTS_TOPIC = "verdicts.topic";
    public static final String RECORD_URL_TEMPLATE = "record.url.template";

    /** The verdicts topic of an alerts topic: the one that is set, or else the one of its name. */
    public static Optional<String> verdictsTopic(String alerts, String set) {
        String name = set.isEmpty() ? alerts.replaceFirst("-alerts$", "") + "-verdicts" : set;
        return Optional.of(name).filter(topic -> !topic.equals(NO_VERDICTS));
    }

    static void define(Settings to) {
        to.text(ALERTS_TOPIC, "stormproof-alerts", new NonEmptyString())
                .means("The topic of the alerts, as CloudEvents JSON.");
        to.text("runbook.base.url", "", null)
                .means("The address before the path of an alert's runbook (https://wiki/stormproof/).");
        to.text("audit.command", "", null)
                .means("The audit command in alerts; topic, partition and range are appended. Empty: stormproof "
                        + "audit with bootstrap.servers.");
        to.text(
                        RECORD_URL_TEMPLATE,
                        "",
                        LambdaValidator.with(
                                (key, value) -> RecordUrlTemplate.of(key, (String) value),
                                () -> "an http or https address with {topic}, {partition} and {offset}"))
                .means("The address of a web page that shows a record, for links in alerts, terminal and page.");
        to.text(VERDICTS_TOPIC, "", null)
                .means("The topic of all verdicts, or none; created if missing. A restart may repeat a verdict with "
                        + "the same id. Empty: the alerts topic's name with -verdicts for -alerts.");
    }

    static AlertSettings of(AbstractConfig values, String bootstrapServers) {
        return new AlertSettings(
                values.getString(ALERTS_TOPIC),
                verdictsTopic(values.getString(ALERTS_TOPIC), values.getString(VERDICTS_TOPIC)),
                values.getString("runbook.base.url"),
                Settings.text(values, "audit.command")
                        .orElse("stormproof audit --bootstrap-server " + bootstrapServers),
                RecordUrlTemplate.of(RECORD_URL_TEMPLATE, values.getString(RECORD_URL_TEMPLATE)));
    }
}
