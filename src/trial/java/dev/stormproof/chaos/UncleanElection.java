package dev.stormproof.chaos;

import dev.stormproof.trial.Arguments;
import java.util.List;
import java.util.stream.Stream;

/** The fault {@code unclean-election} alone, as a drill. */
final class UncleanElection {
    private static final String USAGE = """
            A drill: three brokers, a topic whose leader acknowledges events alone, and an unclean election that loses them; the topology
            must name exactly these events. It says which were acknowledged and lost, and whether each was named, and nothing else.

              scripts/trial unclean-election [--rate EVENTS/S] [--seed S] [--placement bolt|source] [--keep]

            It is the fault unclean-election of scripts/trial under-fire, on a cluster of that name, and takes two to four minutes. Beforehand
            the topic is set to what allows such a loss: min.insync.replicas=1 and two replicas. Exit codes: 0 exactly what was lost was named,
            1 not, 64 wrong usage, 70 the build failed.
            """;

    private static final List<String> DRILL = List.of(
            "--brokers", "3", "--faults", "unclean-election", "--results", "target/under-fire/unclean-election.jsonl");

    private UncleanElection() {}

    public static void main(String[] arguments) throws Exception {
        Arguments.helpIfAsked(USAGE, arguments);
        ChaosProgram.main(Stream.concat(DRILL.stream(), Stream.of(arguments)).toArray(String[]::new));
    }
}
