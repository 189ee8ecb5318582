package dev.stormproof.soak;

import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.storm.VerificationTopology;
import java.nio.file.Path;
import java.util.List;

/**
 * How fast each placement of the tracker verifies one and the same log, and for how much CPU time an event; and how fast Storm's own
 * parts read it that verify nothing.
 *
 * <p>A round runs all four, one after the other, as {@link MeasuredTopology} says. A person runs it: {@code
 * scripts/placement-bench}.
 */
public final class PlacementBench {
    private static final String BOLT = TrackerPlacement.BOLT.label();
    private static final String SOURCE = TrackerPlacement.SOURCE.label();
    private static final String KAFKA_SPOUT = "KafkaSpout alone";
    private static final String TWO_BOLTS = "KafkaSpout, two bolts";

    private final Rounds rounds = new Rounds();

    private PlacementBench() {}

    /** Takes the number of events and of rounds; a child takes the file of its configuration, and what to run. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].endsWith(".properties")) {
            runTopology(StormproofConfig.load(Path.of(arguments[0])), arguments[1]);
            return;
        }
        try (MeasuredTopology topology = new MeasuredTopology(Long.parseLong(arguments[0]))) {
            new PlacementBench().run(topology, Integer.parseInt(arguments[1]));
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
