package dev.stormproof.proof.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The emitters that may write to each topic, by name: a name is as trustworthy as the signature of its checkpoint.
 *
 * <p>A pattern is a name in which {@code *} stands for any characters, also none. In a topic without patterns every emitter is
 * allowed. Immutable and safe for many threads.
 *
 * @param byTopic the patterns of a topic; those of {@link #EVERY_TOPIC} count in each one
 */
public record AllowedEmitters(Map<String, List<String>> byTopic) {
    /** Stands for every topic. */
    public static final String EVERY_TOPIC = "*";

    /** Allows every emitter in every topic. */
    public static final AllowedEmitters ALL = new AllowedEmitters(Map.of());

    private static final char ANY = '*';

    public AllowedEmitters {
        byTopic = Map.copyOf(byTopic);
    }

    public boolean allows(String topic, String name) {
        List<String> patterns = new ArrayList<>(byTopic.getOrDefault(topic, List.of()));
        patterns.addAll(byTopic.getOrDefault(EVERY_TOPIC, List.of()));
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** True if a pattern matches a whole name, in at most as many steps as the product of their lengths. */
    private static boolean matches(String pattern, String name) {
        int at = 0;
        int star = -1;
        int retry = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == ANY) {
                star = at++;
                retry = i;
            } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++retry;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == ANY) {
            at++;
        }
        return at == pattern.length();
    }
}
