package dev.stormproof.proof.checkpoint;

import java.util.Optional;
import java.util.Set;

/**
 * The topics whose records may be of format 1, in which checkpoints have no signature.
 *
 * @param header the header that carries the signature of an event
 * @param topics the topics by name; empty for all of them
 */
public record Format1Expected(String header, Optional<Set<String>> topics) {
    /** The header by default. */
    public static final String HEADER = "signature";

    public Format1Expected {
        topics = topics.map(Set::copyOf);
    }

    public static Format1Expected everywhere() {
        return new Format1Expected(HEADER, Optional.empty());
    }

    boolean isExpectedIn(String topic) {
        return topics.isEmpty() || topics.get().contains(topic);
    }
}
