package dev.stormproof.soak;

import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.LossyTopology;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.trial.Arguments;
import java.nio.file.Path;
import java.util.List;

/**
 * How fast a log is verified when one of a hundred tuples is lost before the verifying bolt, against no loss, and what heap
 * that takes.
 *
 * <p>A round runs both, one after the other, as {@link MeasuredTopology} says; the bolt that loses tuples is there in both. A
 * person runs it: {@code scripts/bench loss}.
 */
public final class LossBench {
    private static final String USAGE = """
            Verifies one and the same log with one of a hundred tuples lost before the verifying bolt, and without loss, in turn; prints
            how fast each is and what heap it takes, and the ratio of both.

              scripts/bench loss [EVENTS [ROUNDS]]

            EVENTS is 3000000 and ROUNDS is 3 if not given, which takes six minutes on two cores. Needs a JDK 17 or newer (JAVA_HOME,
            or java in PATH), and the network for the first build.
            """;

    private static final int LOST_OF_THOUSAND = 10;

    private LossBench() {}

    /** Takes the number of events and of rounds; a child the file of its configuration, and of a thousand how many to lose. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1 && arguments[0].endsWith(".properties")) {
            StormproofConfig config = StormproofConfig.load(Path.of(arguments[0]));
            MeasuredTopology.runUntilEnded(
                    LossyTopology.build(config, Integer.parseInt(arguments[1]), 1),
                    VerificationTopology.stormConfig(config));
            return;
        }
        Arguments given = Arguments.of(USAGE, 2, arguments);
        long most = given.number(1, 3);
        Rounds rounds = new Rounds();
        try (MeasuredTopology topology = new MeasuredTopology(given.number(0, 3_000_000))) {
            for (int round = 1; round <= most; round++) {
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
