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
    /** Every topic is its own origin. */
    public static final Origins NONE = new Origins(Map.of(), Map.of());

    public Origins {
        transformed = Map.copyOf(transformed);
        mirrored = Map.copyOf(mirrored);
    }

    public Map<String, String> byTopic() {
        Map<String, String> all = new HashMap<>(mirrored);
        all.putAll(transformed);
        return all;
    }

    /** The topic named by the checkpoints in a topic. */
    String of(String topic) {
        String made = transformed.get(topic);
        return made == null ? mirrored.getOrDefault(topic, topic) : made;
    }

    boolean isTransformed(String topic) {
        return transformed.containsKey(topic);
    }
}
