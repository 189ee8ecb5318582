package dev.stormproof.chaos;

import dev.stormproof.chaos.ClusterFault.Needs;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The options of a run, as a person types them.
 *
 * @param faults the cluster faults, in this order unless they are shuffled
 * @param count how often each
 * @param eventsPerSecond how many events flow
 * @param seed decides everything random
 * @param size of how many daemons the cluster is
 * @param stormVersion the release of Storm that the cluster is, if it is another than the topology is built with
 * @param clientRack the rack that the topology fetches from, if it does not from leaders
 * @param results the file that results are appended to
 * @param placement where events are verified
 * @param deliver whether the topology writes an output, which is compared with the input
 * @param hold whether that output trails the verdicts, and marks what is not verified
 * @param keep whether the cluster is left running
 * @param summary whether only to print the table of the results that are there
 */
record Options(
        List<ClusterFault> faults,
        int count,
        double eventsPerSecond,
        long seed,
        Size size,
        Optional<String> stormVersion,
        Optional<String> clientRack,
        Path results,
        Placement placement,
        boolean deliver,
        boolean hold,
        boolean keep,
        boolean summary) {

    /** The daemons of a cluster that there may be several of. */
    record Size(int brokers, int supervisors, int nimbuses) {}

    /** Throws {@link IllegalArgumentException}, which names the wrong argument. */
    static Options parse(String... arguments) {
        Optional<List<ClusterFault>> named = Optional.empty();
        int count = 1;
        double rate = 2_000;
        long seed = new SplittableRandom().nextLong(1_000_000);
        int brokers = 1;
        int supervisors = 1;
        int nimbuses = 1;
        Optional<String> stormVersion = Optional.empty();
        Optional<String> clientRack = Optional.empty();
        Path results = Path.of("target", "under-fire", "results.jsonl");
        Placement placement = Placement.BOLT;
        boolean deliver = false;
        boolean hold = false;
        boolean keep = false;
        boolean summary = false;
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            switch (name) {
                case "--deliver" -> deliver = true;
                case "--hold" -> {
                    deliver = true;
                    hold = true;
                }
                case "--keep" -> keep = true;
                case "--summary" -> summary = true;
                case "--faults" -> named = faults(value(arguments, ++i));
                case "--count" -> count = Math.toIntExact(number(name, value(arguments, ++i), 1));
                case "--rate" -> rate = number(name, value(arguments, ++i), 10);
                case "--seed" -> seed = number(name, value(arguments, ++i), 0);
                case "--brokers" -> brokers = Math.toIntExact(number(name, value(arguments, ++i), 1));
                case "--supervisors" -> supervisors = Math.toIntExact(number(name, value(arguments, ++i), 1));
                case "--nimbus" -> nimbuses = Math.toIntExact(number(name, value(arguments, ++i), 1));
                case "--storm-version" -> stormVersion = Optional.of(value(arguments, ++i));
                case "--client-rack" -> clientRack = Optional.of(value(arguments, ++i));
                case "--placement" -> placement = Placement.ofLabel(value(arguments, ++i));
                case "--results" -> results = Path.of(value(arguments, ++i));
                default -> throw new IllegalArgumentException("unknown option " + name);
            }
        }
        Size size = new Size(brokers, supervisors, nimbuses);
        Situation situation = new Situation(size, placement, deliver);
        List<ClusterFault> faults = named.orElseGet(() -> situation.possible());
        faults.forEach(situation::check);
        return new Options(
                faults,
                count,
                rate,
                seed,
                size,
                stormVersion,
                clientRack,
                results,
                placement,
                deliver,
                hold,
                keep,
                summary);
    }

    /** What decides which faults there can be. */
    private record Situation(Size size, Placement placement, boolean deliver) {
        List<ClusterFault> possible() {
            return Arrays.stream(ClusterFault.values())
                    .filter(fault -> hindrance(fault).isEmpty())
                    .toList();
        }

        void check(ClusterFault fault) {
            hindrance(fault).ifPresent(why -> {
                throw new IllegalArgumentException(fault.label() + ": " + why);
            });
        }

        private Optional<String> hindrance(ClusterFault fault) {
            if (placement == Placement.VERIFY && fault.needsStorm()) {
                return Optional.of("with --placement verify there is no topology");
            }
            if (fault == ClusterFault.CONNECTION_CUT && placement == Placement.SOURCE) {
                return Optional.of("with --placement source there are no connections to cut");
            }
            if (fault.needs() == Needs.BROKERS && size.brokers() < 3) {
                return Optional.of("want --brokers 3");
            }
            if (fault.needs() == Needs.SUPERVISORS && size.supervisors() < 2) {
                return Optional.of("want --supervisors 2");
            }
            if (fault.rewritesTheLog() && deliver) {
                return Optional.of("with --deliver the output keeps what the input loses");
            }
            return Optional.empty();
        }
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

    /** Those that are named; empty for all that are possible. */
    private static Optional<List<ClusterFault>> faults(String text) {
        if (text.equals("all")) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(text.split(","))
                .map(label -> ClusterFault.ofLabel(label)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "there is no fault " + label + "; there are " + ClusterFault.labels())))
                .toList());
    }
}
