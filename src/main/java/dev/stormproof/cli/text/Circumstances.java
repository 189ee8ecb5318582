package dev.stormproof.cli.text;

import dev.stormproof.proof.checkpoint.Protection;
import java.time.Instant;
import java.util.List;

/**
 * The circumstances of an audit: what was read, when, by which program, and whom it believed.
 *
 * @param clusterId Kafka's id of the cluster
 * @param topicId Kafka's id of the topic, which distinguishes it from others that had its name
 * @param time when it began, by the clock here; the log's end is of a moment later
 * @param program name and version
 * @param keys the public keys whose checkpoints were believed, each as {@code id:base64}; none if signatures were not checked
 * @param demanded what streams had to be protected against
 */
public record Circumstances(
        String clusterId, String topicId, Instant time, String program, List<String> keys, Protection demanded) {
    public Circumstances {
        keys = List.copyOf(keys);
    }
}
