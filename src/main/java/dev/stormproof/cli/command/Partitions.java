package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The option that names partitions of a topic. */
final class Partitions {
    @Option(
            names = "--partition",
            paramLabel = "N",
            split = ",",
            description = "The partitions; by default, all of the topic's.")
    private List<Integer> named = List.of();

    int count() {
        return named.size();
    }

    /** The named partitions, or all of the topic's without a name; refuses one that the topic lacks. */
    SortedSet<Integer> of(String topic, int count) {
        SortedSet<Integer> chosen = new TreeSet<>(
                named.isEmpty() ? IntStream.range(0, count).boxed().toList() : named);
        chosen.forEach(partition -> demand(topic, partition, count));
        return chosen;
    }

    /** Refuses a partition that a topic has not. */
    static void demand(String topic, int partition, int count) {
        if (partition < 0 || partition >= count) {
            throw Failure.usage(
                    "--partition " + partition + ": topic " + topic + " has partitions 0 to " + (count - 1));
        }
    }
}
