package dev.stormproof.chaos;

import dev.stormproof.config.TrackerPlacement;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The options of a run, as a person types them.
 *
 * @param faults the cluster faults, in this order unless they are shuffled
 * @param count how often each
 * @param eventsPerSecond how many events flow
 * @param seed decides everything random
 * @param results the file that results are appended to
 * @param placement where the topology verifies: bolt or source
 * @param deliver whether the topology writes an output, which is compared with the input
 * @param keep whether the cluster is left running
 * @param summary whether only to print the table of the results that are there
 */
record Options(
        List<ClusterFault> faults,
        int count,
        double eventsPerSecond,
        long seed,
        Path results,
        TrackerPlacement placement,
        boolean deliver,
        boolean keep,
        boolean summary) {

    /** Throws {@link IllegalArgumentException}, which names the wrong argument. */
    static Options parse(String... arguments) {
        List<ClusterFault> faults = List.of(ClusterFault.values());
        int count = 1;
        double rate = 2_000;
        long seed = new SplittableRandom().nextLong(1_000_000);
        Path results = Path.of("target", "under-fire", "results.jsonl");
        TrackerPlacement placement = TrackerPlacement.BOLT;
        boolean deliver = false;
        boolean keep = false;
        boolean summary = false;
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            switch (name) {
                case "--deliver" -> deliver = true;
                case "--keep" -> keep = true;
                case "--summary" -> summary = true;
                case "--faults" -> faults = faults(value(arguments, ++i));
                case "--count" -> count = Math.toIntExact(number(name, value(arguments, ++i), 1));
                case "--rate" -> rate = number(name, value(arguments, ++i), 10);
                case "--seed" -> seed = number(name, value(arguments, ++i), 0);
                case "--placement" -> placement = placement(value(arguments, ++i));
                case "--results" -> results = Path.of(value(arguments, ++i));
                default -> throw new IllegalArgumentException("unknown option " + name);
            }
        }
        return new Options(possible(faults, placement), count, rate, seed, results, placement, deliver, keep, summary);
    }

    /** At the source no tuple leaves its worker: "all" is all but the one that cuts connections. */
    private static List<ClusterFault> possible(List<ClusterFault> faults, TrackerPlacement placement) {
        if (placement != TrackerPlacement.SOURCE || !faults.contains(ClusterFault.CONNECTION_CUT)) {
            return faults;
        }
        if (!faults.equals(List.of(ClusterFault.values()))) {
            throw new IllegalArgumentException("with --placement source there are no connections to cut");
        }
        return faults.stream()
                .filter(fault -> fault != ClusterFault.CONNECTION_CUT)
                .toList();
    }

    private static String value(String[] arguments, int index) {
        if (index >= arguments.length) {
            throw new IllegalArgumentException(arguments[index - 1] + " needs a value");
        }
        return arguments[index];
    }

    private static long number(String name, String text, long least) {
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is a number, not " + text, e);
        }
        throw new IllegalArgumentException(name + " is at least " + least + ", not " + text);
    }

    private static TrackerPlacement placement(String text) {
        return Arrays.stream(TrackerPlacement.values())
                .filter(one -> one.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--placement is bolt or source, not " + text));
    }

    private static List<ClusterFault> faults(String text) {
        if (text.equals("all")) {
            return List.of(ClusterFault.values());
        }
        return Arrays.stream(text.split(","))
                .map(label -> ClusterFault.ofLabel(label)
                        .orElseThrow(() -> new IllegalArgumentException("there is no fault " + label + "; there are "
                                + Arrays.stream(ClusterFault.values())
                                        .map(ClusterFault::label)
                                        .toList())))
                .toList();
    }
}
