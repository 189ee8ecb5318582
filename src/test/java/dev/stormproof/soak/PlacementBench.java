package dev.stormproof.soak;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.storm.VerificationTopology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How fast each placement of the tracker verifies one and the same log, and for how much CPU time an event.
 *
 * <p>A round runs both placements, one after the other, as {@link MeasuredTopology} says. A person runs it: {@code
 * scripts/placement-bench}.
 */
public final class PlacementBench {
    private PlacementBench() {}

    /** Takes the number of events and of rounds; a child takes the file of its configuration. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1) {
            StormproofConfig config = StormproofConfig.load(Path.of(arguments[0]));
            MeasuredTopology.runUntilEnded(
                    VerificationTopology.build(config), VerificationTopology.stormConfig(config));
            return;
        }
        List<Double> faster = new ArrayList<>();
        List<Double> cheaper = new ArrayList<>();
        try (MeasuredTopology topology = new MeasuredTopology(Long.parseLong(arguments[0]))) {
            for (int round = 1; round <= Integer.parseInt(arguments[1]); round++) {
                Measured bolt = measure(topology, TrackerPlacement.BOLT, round);
                Measured source = measure(topology, TrackerPlacement.SOURCE, round);
                faster.add(source.recordsPerSecond() / bolt.recordsPerSecond());
                cheaper.add(bolt.cpuNanosPerRecord() / source.cpuNanosPerRecord());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "source ÷ bolt, median (least): records/s %.1f× (%.1f×), records per CPU second %.1f× (%.1f×)%n",
                MeasuredTopology.median(faster),
                MeasuredTopology.least(faster),
                MeasuredTopology.median(cheaper),
                MeasuredTopology.least(cheaper));
        System.exit(0);
    }

    private static Measured measure(MeasuredTopology topology, TrackerPlacement placement, int round) throws Exception {
        Measured measured = topology.run(
                placement.label() + "-" + round,
                List.of("tracker.placement=" + placement.label()),
                PlacementBench.class);
        measured.print(round, placement.label());
        return measured;
    }
}
