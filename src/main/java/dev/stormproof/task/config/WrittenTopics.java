package dev.stormproof.task.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** Checks the topics that are written to: none is read as well, and none takes two kinds of records. */
final class WrittenTopics {
    private WrittenTopics() {}

    static void check(
            InputSettings input,
            AlertSettings alerts,
            OutputSettings output,
            NotarySettings notary,
            String heads,
            ConfigErrors mistakes) {
        Map<String, String> topics = new LinkedHashMap<>();
        topics.put(AlertSettings.ALERTS_TOPIC, alerts.topic());
        topics.put(AlertSettings.VERDICTS_TOPIC, alerts.verdictsTopic().orElse(""));
        topics.put(StormproofConfig.HEADS_TOPIC, input.isAny() ? heads : "");
        topics.put(OutputSettings.OUTPUT_TOPIC, output.topic());
        topics.put(OutputSettings.DIVERTED_TOPIC, output.divertedTopic().orElse(""));
        topics.put(InputSettings.CANARY_TOPIC, input.canary().orElse(""));
        topics.put(NotarySettings.NOTES_TOPIC, notary.isAny() ? notary.notesTopic() : "");
        topics.put(NotarySettings.NOTARY_TILES, notary.isAny() ? notary.tiles().orElse("") : "");
        topics.values().removeIf(String::isEmpty);
        Map<String, String> before = new LinkedHashMap<>();
        topics.forEach((key, topic) -> {
            String is = key + " is '" + topic + "', which is ";
            mistakes.takeIf(
                    input.names().matches(topic) && !key.equals(InputSettings.CANARY_TOPIC),
                    is
                            + "also an input topic: what is written there would be read again without end; name another topic");
            boolean ofNotary = key.equals(NotarySettings.NOTES_TOPIC) || key.equals(NotarySettings.NOTARY_TILES);
            mistakes.takeIf(
                    ofNotary && notary.topics().contains(topic),
                    is
                            + "notarized itself: what is written there would be noted again without end; name another topic");
            mistakes.takeIf(
                    input.names().isOutput(topic) && !key.equals(OutputSettings.OUTPUT_TOPIC),
                    is + "the output of an input topic, by " + OutputSettings.OUTPUT_TOPIC + "=" + output.topic()
                            + ": name another");
            String other = before.putIfAbsent(topic, key);
            mistakes.takeIf(other != null, is + "the same topic as " + other + ": name another");
        });
    }
}
