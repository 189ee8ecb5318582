package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** These options name one topic, or several. */
final class TopicNames {
    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic of the events. If it is repeated, each topic has a verdict, and all together have "
                    + "one.")
    private List<String> named = List.of();

    @Option(
            names = "--topic-pattern",
            paramLabel = "REGEX",
            description = "A regular expression in place of --topic: every topic whose whole name matches, except "
                    + "Kafka's own. Compacted topics are reported as not judged.")
    private @Nullable String pattern;

    /**
     * The topics that were named.
     *
     * @param audited those to audit, in the order of the options, or by name
     * @param leftOut those that match the pattern, but are compacted
     * @param text what was given: the names, or the pattern
     * @param several true if there is to be a verdict on all together
     */
    record Topics(List<String> audited, List<String> leftOut, String text, boolean several) {}

    /** Refuses neither option, and both. */
    void check() {
        if (named.isEmpty() == (pattern == null)) {
            throw Failure.usage(
                    "name the topics: with '--topic=NAME', which may be repeated, or with '--topic-pattern=REGEX'");
        }
        if (pattern != null) {
            var unused = compiled(pattern);
        }
    }

    /** The topics at a cluster; to be called after {@link #check}. */
    Topics of(Connection connection) throws InterruptedException {
        String regex = pattern;
        if (regex == null) {
            List<String> names = List.copyOf(new LinkedHashSet<>(named));
            return new Topics(names, List.of(), String.join(",", names), names.size() > 1);
        }
        List<String> audited = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (String topic : connection.topicsMatching(compiled(regex))) {
            (connection.isCompacted(topic) ? leftOut : audited).add(topic);
        }
        if (audited.isEmpty()) {
            throw Failure.usage("--topic-pattern " + regex + ": no topic at " + connection.bootstrapServers()
                    + " matches" + (leftOut.isEmpty() ? "" : ", except compacted ones, which cannot be verified"));
        }
        return new Topics(audited, leftOut, regex, true);
    }

    private static Pattern compiled(String regex) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw Failure.usage("--topic-pattern " + regex + " is no regular expression: " + e.getDescription(), e);
        }
    }
}
