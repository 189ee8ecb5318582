package dev.stormproof.checkpoint;

import java.util.Map;

/**
 * The topics that hold the streams of another topic, their origin: the output of a transform, or a mirror. Their checkpoints name
 * the origin.
 *
 * @param originByTopic the origin of each such topic
 */
public record Origins(Map<String, String> originByTopic) {
    /** No topic has another origin than itself. */
    public static final Origins NONE = new Origins(Map.of());

    public Origins {
        originByTopic = Map.copyOf(originByTopic);
    }

    /** The topic that the checkpoints in a topic name. */
    String of(String topic) {
        return originByTopic.getOrDefault(topic, topic);
    }

    /** True if a topic holds the streams of another. */
    boolean isCopy(String topic) {
        return originByTopic.containsKey(topic);
    }
}
