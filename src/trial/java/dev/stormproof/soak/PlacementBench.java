package dev.stormproof.soak;

import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.trial.Arguments;
import java.nio.file.Path;
import java.util.List;

/**
 * How fast each placement of the tracker verifies one and the same log, and for how much CPU time an event; and how fast Storm's own
 * parts read it that verify nothing.
 *
 * <p>A round runs all four, one after the other, as {@link MeasuredTopology} says. A person runs it: {@code
 * scripts/bench placement}.
 */
public final class PlacementBench {
    private static final String USAGE = """
            Verifies one and the same log with both placements of the tracker in turn, and reads it with Storm's KafkaSpout alone and with
            two bolts that do nothing; prints how fast each is and for how much CPU
            time, and the ratios that docs/PERFORMANCE.md holds.

              scripts/bench placement [EVENTS [ROUNDS]]

            EVENTS is 6000000 and ROUNDS is 3 if not given, which takes six minutes on two cores. Needs a JDK 17 or newer (JAVA_HOME,
            or java in PATH), and the network for the first build.
            """;

    private static final String BOLT = TrackerPlacement.BOLT.label();
    private static final String SOURCE = TrackerPlacement.SOURCE.label();
    private static final String KAFKA_SPOUT = "KafkaSpout alone";
    private static final String TWO_BOLTS = "KafkaSpout, two bolts";

    private final Rounds rounds = new Rounds();

    private PlacementBench() {}

    /** Takes the number of events and of rounds; a child takes the file of its configuration, and what to run. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1 && arguments[0].endsWith(".properties")) {
            runTopology(StormproofConfig.load(Path.of(arguments[0])), arguments[1]);
            return;
        }
        Arguments given = Arguments.of(USAGE, 2, arguments);
        int rounds = Math.toIntExact(given.number(1, 3));
        try (MeasuredTopology topology = new MeasuredTopology(given.number(0, 6_000_000))) {
            new PlacementBench().run(topology, rounds);
        }
        System.exit(0);
    }

    private static void runTopology(StormproofConfig config, String what) throws Exception {
        String servers = config.bootstrapServers();
        String topic = config.input.topics().iterator().next();
        if (what.equals(KAFKA_SPOUT)) {
            MeasuredTopology.runUntilEnded(
                    PlainStorm.spout(servers, config.groupId(), topic), PlainStorm.config(false));
        } else if (what.equals(TWO_BOLTS)) {
            MeasuredTopology.runUntilEnded(PlainStorm.bolts(servers, config.groupId(), topic), PlainStorm.config(true));
        } else {
            MeasuredTopology.runUntilEnded(
                    VerificationTopology.build(config), VerificationTopology.stormConfig(config));
        }
    }

    private void run(MeasuredTopology topology, int count) throws Exception {
        int runs = 0;
        for (int round = 1; round <= count; round++) {
            for (String what : List.of(KAFKA_SPOUT, SOURCE, TWO_BOLTS, BOLT)) {
                String placement = what.equals(BOLT) ? BOLT : SOURCE;
                Measured one = topology.run(
                        "run-" + runs++, List.of("tracker.placement=" + placement), PlacementBench.class, what);
                one.print(round, what);
                rounds.add(what, one.recordsPerSecond(), one.cpuNanosPerRecord());
            }
        }
        rounds.compare(SOURCE, KAFKA_SPOUT);
        rounds.compare(BOLT, SOURCE);
        rounds.compare(BOLT, TWO_BOLTS);
        rounds.write("topology");
    }
}
