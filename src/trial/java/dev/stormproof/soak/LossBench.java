package dev.stormproof.soak;

import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.LossyTopology;
import dev.stormproof.task.storm.VerificationTopology;
import java.nio.file.Path;
import java.util.List;

/**
 * How fast a log is verified when one of a hundred tuples is lost before the verifying bolt, against no loss, and what heap
 * that takes.
 *
 * <p>A round runs both, one after the other, as {@link MeasuredTopology} says; the bolt that loses tuples is there in both. A
 * person runs it: {@code scripts/loss-bench}.
 */
public final class LossBench {
    private static final int LOST_OF_THOUSAND = 10;

    private LossBench() {}

    /** Takes the number of events and of rounds; a child the file of its configuration, and of a thousand how many to lose. */
    public static void main(String[] arguments) throws Exception {
        if (!arguments[0].chars().allMatch(Character::isDigit)) {
            StormproofConfig config = StormproofConfig.load(Path.of(arguments[0]));
            MeasuredTopology.runUntilEnded(
                    LossyTopology.build(config, Integer.parseInt(arguments[1]), 1),
                    VerificationTopology.stormConfig(config));
            return;
        }
        Rounds rounds = new Rounds();
        try (MeasuredTopology topology = new MeasuredTopology(Long.parseLong(arguments[0]))) {
            for (int round = 1; round <= Integer.parseInt(arguments[1]); round++) {
                measure(topology, rounds, "lossless", 0, round);
                measure(topology, rounds, "lossy", LOST_OF_THOUSAND, round);
            }
        }
        rounds.compare("lossy", "lossless");
        System.exit(0);
    }

    private static void measure(MeasuredTopology topology, Rounds rounds, String name, int lostOfThousand, int round)
            throws Exception {
        Measured measured =
                topology.run(name + "-" + round, List.of(), LossBench.class, Integer.toString(lostOfThousand));
        measured.print(round, name);
        rounds.add(name, measured.recordsPerSecond(), measured.cpuNanosPerRecord());
    }
}
