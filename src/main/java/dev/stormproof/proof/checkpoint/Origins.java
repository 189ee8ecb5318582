package dev.stormproof.proof.checkpoint;

import java.util.HashMap;
import java.util.Map;

/**
 * The topics that hold the streams of another topic, their origin. Their checkpoints name the origin.
 *
 * <pre>
 *   origin ──► transform ──► its output ──► a mirror of that      what the transform states of an event is believed
 *          └─► a mirror                                           events are as they were signed
 * </pre>
 *
 * @param transformed the origin of each topic that holds what a transform made
 * @param mirrored the origin of each topic that holds unaltered copies
 */
public record Origins(Map<String, String> transformed, Map<String, String> mirrored) {
    /** No topic has another origin than itself. */
    public static final Origins NONE = new Origins(Map.of(), Map.of());

    public Origins {
        transformed = Map.copyOf(transformed);
        mirrored = Map.copyOf(mirrored);
    }

    /** The origin of each topic that has one. */
    public Map<String, String> byTopic() {
        Map<String, String> all = new HashMap<>(mirrored);
        all.putAll(transformed);
        return all;
    }

    /** The topic that the checkpoints in a topic name. */
    String of(String topic) {
        String made = transformed.get(topic);
        return made == null ? mirrored.getOrDefault(topic, topic) : made;
    }

    /** True if a topic holds what a transform made of another's events. */
    boolean isTransformed(String topic) {
        return transformed.containsKey(topic);
    }
}
