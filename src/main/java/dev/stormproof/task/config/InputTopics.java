package dev.stormproof.task.config;

import java.io.Serializable;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the topics that are verified: given ones, or those that match a pattern.
 *
 * <p>A pattern does not include Kafka's internal topics, nor the outputs of matching names: their records would be read again and written to
 * the output of the output, without end.
 *
 * <pre>
 *   pattern orders.*, output *-enriched:   orders ──► orders-enriched, which matches as well and is left out
 * </pre>
 */
public final class InputTopics implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Stands for an input topic's name in that of its output. */
    static final String NAME = "*";

    /** The prefix of Kafka's own topics. */
    private static final String INTERNAL = "__";

    private final TreeSet<String> names;
    private final @Nullable Pattern pattern;
    private final String output;

    private InputTopics(Set<String> names, @Nullable Pattern pattern, String output) {
        this.names = new TreeSet<>(names);
        this.pattern = pattern;
        this.output = output;
    }

    /**
     * Topics of these names.
     *
     * @param output the name of each topic's output, with {@value #NAME} for the topic's; empty if there is none
     */
    public static InputTopics named(Set<String> names, String output) {
        return new InputTopics(names, null, output);
    }

    /** Topics whose names match; {@code output} as for {@linkplain #named given names}. */
    public static InputTopics matching(Pattern pattern, String output) {
        return new InputTopics(Set.of(), pattern, output);
    }

    /** The given names; empty if there is a pattern. */
    public Set<String> names() {
        return names;
    }

    public boolean arePattern() {
        return pattern != null;
    }

    /** True if a topic of this name is verified. */
    public boolean contains(String topic) {
        return matches(topic) && (pattern == null || !isOutput(topic));
    }

    /** True if the name is a given one, or matches. */
    public boolean matches(String topic) {
        return pattern == null
                ? names.contains(topic)
                : !topic.startsWith(INTERNAL) && pattern.matcher(topic).matches();
    }

    /** True if it is the output of a topic whose name is given, or matches. */
    public boolean isOutput(String topic) {
        return inputOf(topic).filter(this::matches).isPresent();
    }

    /** The names, or the pattern. */
    public String text() {
        return pattern == null ? String.join(",", names) : pattern.pattern();
    }

    private Optional<String> inputOf(String topic) {
        int begin = output.indexOf(NAME);
        int times = output.length() - output.replace(NAME, "").length();
        int size = begin < 0 ? 0 : (topic.length() - (output.length() - times)) / times;
        if (size < 1) {
            return Optional.empty();
        }
        String input = topic.substring(begin, begin + size);
        return output.replace(NAME, input).equals(topic) ? Optional.of(input) : Optional.empty();
    }
}
