package dev.stormproof.task.config;

import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * The transform and its output.
 *
 * @param transform {@code identity}, {@code log-json} or a class name
 * @param diverts true if events that the transform fails on are diverted; false if the output halts before them
 * @param topic with {@value InputTopics#NAME} for the input topic's name; empty without an output
 * @param isHeld true if the output is a verified topic, which trails the verdicts
 * @param onViolation {@code halt}, {@code skip} or {@code mark}
 */
public record OutputSettings(
        String transform,
        int retries,
        long timeoutMillis,
        boolean diverts,
        Optional<String> divertedTopic,
        String topic,
        boolean isHeld,
        String onViolation) {
    public static final String TRANSFORM = "transform";
    public static final String OUTPUT_TOPIC = "output.topic";
    public static final String DIVERTED_TOPIC = "diverted.topic";
    static final String TRANSFORM_ON_ERROR = "transform.on.error";
    private static final String OUTPUT_HOLD = "output.hold";
    private static final String OUTPUT_ON_VIOLATION = "output.on.violation";

    public static final String NO_TRANSFORM = "identity";

    private static final String HALT = "halt";
    private static final String DIVERT = "divert";
    private static final String NOTHING_HELD = "none";
    private static final String VERIFIED = "verified";

    static void define(Settings to) {
        to.text(TRANSFORM, NO_TRANSFORM, new NonEmptyString())
                .means("What makes the output of an event: identity, log-json, or a class that implements "
                        + "dev.stormproof.task.transform.EventTransform.");
        to.count("transform.retries", 3, Range.between(0, 1_000)).means("How often a failed transform is repeated.");
        to.amount("transform.timeout.ms", 10_000, Range.atLeast(1))
                .means("How long a transform may run for one event before it is interrupted and has failed.");
        to.text(TRANSFORM_ON_ERROR, HALT, ValidString.in(HALT, DIVERT))
                .means("If every attempt fails, or the output topic refuses the record: halt stops the "
                        + "partition's output until an operator resumes it; divert sends the event to " + DIVERTED_TOPIC
                        + " and leaves a marker.");
        to.text(OUTPUT_TOPIC, "", null)
                .means("The topic of the transformed events and the checkpoints; * is the input topic's name.");
        to.text(OUTPUT_HOLD, NOTHING_HELD, ValidString.in(NOTHING_HELD, VERIFIED))
                .means("Whether records wait for their verdict. verified reads them from the log again.");
        to.text(OUTPUT_ON_VIOLATION, HALT, ValidString.in(HALT, "skip", "mark"))
                .means("With " + OUTPUT_HOLD + "=" + VERIFIED
                        + ", at a record that is not verified: halt stops the partition's output until an operator "
                        + "resumes it; skip omits it; mark adds a header.");
        to.text(DIVERTED_TOPIC, "", null).means("The topic for diverted events.");
    }

    static OutputSettings of(AbstractConfig values) {
        return new OutputSettings(
                values.getString(TRANSFORM),
                values.getInt("transform.retries"),
                values.getLong("transform.timeout.ms"),
                values.getString(TRANSFORM_ON_ERROR).equals(DIVERT),
                Settings.text(values, DIVERTED_TOPIC),
                values.getString(OUTPUT_TOPIC),
                values.getString(OUTPUT_HOLD).equals(VERIFIED),
                values.getString(OUTPUT_ON_VIOLATION));
    }

    public boolean isAny() {
        return !topic.isEmpty();
    }

    /** The topic that the transformed events of an input topic are appended to. */
    Optional<String> topicOf(String inputTopic) {
        return Optional.of(topic.replace(InputTopics.NAME, inputTopic)).filter(name -> !name.isEmpty());
    }

    void check(InputSettings input, boolean alertsOnUnsigned, ConfigErrors mistakes) {
        boolean several = input.pattern().isPresent() || input.topics().size() > 1;
        boolean itself = topic.equals(InputTopics.NAME);
        mistakes.takeIf(
                itself,
                OUTPUT_TOPIC + "=" + topic
                        + " is each input topic itself: what is written there would be read again without end");
        mistakes.takeIf(
                isAny() && several && !topic.contains(InputTopics.NAME),
                OUTPUT_TOPIC + "=" + topic + " would mix the streams of several input topics: write " + InputTopics.NAME
                        + " for the input topic's name, for instance " + InputTopics.NAME + "-" + topic);
        for (String one : input.topics()) {
            String made = topicOf(one).orElse("");
            mistakes.takeIf(
                    !itself && topic.contains(InputTopics.NAME) && input.names().matches(made),
                    OUTPUT_TOPIC + " is '" + made
                            + "', which is also an input topic: what is written there would be read again without end");
        }
        mistakes.takeIf(
                isHeld && !isAny(),
                OUTPUT_HOLD + "=" + VERIFIED + " needs " + OUTPUT_TOPIC + ", the output to hold back");
        mistakes.takeIf(
                !isHeld && !onViolation.equals(HALT),
                OUTPUT_ON_VIOLATION + "=" + onViolation + " needs " + OUTPUT_HOLD + "=" + VERIFIED
                        + ": without it the output is written before its input is judged");
        mistakes.takeIf(
                isHeld && onViolation.equals(HALT) && !alertsOnUnsigned,
                OUTPUT_HOLD + "=" + VERIFIED + " with " + CheckingSettings.UNSIGNED_EVENTS
                        + "=ignore: the output would halt at each event without a signature, and no alert would give "
                        + "the reason. Set " + OUTPUT_ON_VIOLATION + "=skip or mark, or "
                        + CheckingSettings.UNSIGNED_EVENTS
                        + "=alert");
        mistakes.takeIf(diverts && !isAny(), TRANSFORM_ON_ERROR + "=" + DIVERT + " needs " + OUTPUT_TOPIC);
        mistakes.takeIf(
                diverts && divertedTopic.isEmpty(), TRANSFORM_ON_ERROR + "=" + DIVERT + " needs " + DIVERTED_TOPIC);
    }
}
