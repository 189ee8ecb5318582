package dev.stormproof.cli.session;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.transform.EventTransforms;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code run} are set by picocli. */
public final class RunOptions {
    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "The events, one a line; - for standard input. By default, generated orders.")
    @Nullable
    Path input;

    @Option(
            names = "--json",
            description = "Print the alerts as JSON lines and the report as one JSON object; everything else goes to "
                    + "standard error.")
    boolean json;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "How many orders to generate without --input (default: ${DEFAULT-VALUE}).")
    int events = 6_000;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions of the topic; line i goes to partition i mod N (default: ${DEFAULT-VALUE}).")
    int partitions = 3;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            description = "Events of a partition between two checkpoints (default: ${DEFAULT-VALUE}).")
    int checkpointEvery = 100;

    @Option(
            names = "--transform",
            paramLabel = "NAME",
            description = "What the transform bolt does: " + EventTransforms.IDENTITY + ", " + EventTransforms.LOG_JSON
                    + ", or the name of an EventTransform class (default: ${DEFAULT-VALUE}).")
    String transform = EventTransforms.IDENTITY;

    @Option(
            names = "--output-topic",
            paramLabel = "NAME",
            description = "A topic to create for the transformed events. The output is then verified too, and the run "
                    + "ends with its verdict.")
    @Nullable
    String outputTopic;

    @Option(
            names = "--tracker-placement",
            paramLabel = "PLACE",
            description = "Where events are verified: bolt, or source, in the spout, which transforms only for "
                    + "--output-topic (default: bolt).")
    TrackerPlacement trackerPlacement = TrackerPlacement.BOLT;

    @Option(
            names = "--inject",
            paramLabel = "KIND=N[,KIND=N...]",
            description = "Faults to inject after the signer: lose, duplicate, swap, move, alter.")
    Faults inject = new Faults(Map.of());

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Decides where faults are injected and which orders are generated (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Also write the records of the alerts topic to this file, as JSON lines.")
    @Nullable
    Path alerts;

    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "A Kafka to use; by default, one is started in this process.")
    @Nullable
    String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties for --bootstrap-server, as for Kafka's own tools: TLS, SASL.")
    @Nullable
    Path commandConfig;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic to create for the events; alerts go to NAME-alerts, verdicts to NAME-verdicts. "
                    + "With --bootstrap-server, the default is a new name.")
    @Nullable
    String topic;

    @Option(
            names = "--dashboard",
            description = "Also serve a page that shows the findings. It stays after the run, until Ctrl-C.")
    boolean dashboard;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to serve that page; by default, to this machine alone and at a free port.")
    Dashboard.@Nullable Listen listen;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Give up when nothing has happened for this long (default: ${DEFAULT-VALUE}).")
    int timeoutSeconds = 120;

    /** Fails on values that are out of range, before anything is started. */
    public void check() {
        atLeast("--events", events, 0);
        atLeast("--partitions", partitions, 1);
        atLeast("--checkpoint-every", checkpointEvery, 1);
        atLeast("--timeout", timeoutSeconds, 1);
        if (commandConfig != null && bootstrapServer == null) {
            throw Failure.usage("--command-config is for --bootstrap-server, which is missing");
        }
        if (listen != null && !dashboard) {
            throw Failure.usage("--listen is for --dashboard, which is missing");
        }
        Failure.configured("--transform: ", () -> EventTransforms.named(transform));
        if (trackerPlacement == TrackerPlacement.SOURCE
                && !transform.equals(EventTransforms.IDENTITY)
                && outputTopic == null) {
            throw Failure.usage("--transform " + transform
                    + " would never run with --tracker-placement source and without --output-topic");
        }
    }

    public static void atLeast(String option, int value, int least) {
        if (value < least) {
            throw Failure.usage(option + " " + value + ": must be at least " + least);
        }
    }

    /** The placement of a label; picocli explains a wrong one. */
    public static TrackerPlacement placement(String label) {
        try {
            return TrackerPlacement.of(label);
        } catch (ConfigException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** How many faults of each kind. */
    public record Faults(Map<FaultKind, Integer> counts) {
        /** Reads {@code kind=count,kind=count}. */
        public static Faults of(String text) {
            Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
            for (String part : text.split(",", -1)) {
                String[] pair = part.strip().split("=", -1);
                FaultKind kind = pair.length == 2 ? FaultKind.ofLabel(pair[0]).orElse(null) : null;
                if (kind == null || !pair[1].matches("[0-9]{1,6}")) {
                    throw new TypeConversionException(
                            "'" + part + "' is not KIND=N with a KIND of lose, duplicate, swap, move, alter");
                }
                if (counts.put(kind, Integer.valueOf(pair[1])) != null) {
                    throw new TypeConversionException("'" + kind.label() + "' is given twice");
                }
            }
            return new Faults(counts);
        }

        /** Where they are injected into so many events, of which event i goes to partition i modulo {@code partitions}. */
        public FaultPlan plan(String topic, int partitions, long events, int checkpointEvery, long seed) {
            Map<TopicPartition, Integer> eventsPerPartition = new HashMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                long count = events / partitions + (partition < events % partitions ? 1 : 0);
                eventsPerPartition.put(new TopicPartition(topic, partition), Math.toIntExact(count));
            }
            try {
                return FaultPlan.of(eventsPerPartition, counts, checkpointEvery, seed);
            } catch (IllegalArgumentException e) {
                throw Failure.usage("--inject: " + e.getMessage(), e);
            }
        }
    }
}
