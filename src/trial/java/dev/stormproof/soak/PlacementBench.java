package dev.stormproof.soak;

import dev.stormproof.soak.MeasuredTopology.Measured;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.trial.Arguments;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * How fast each placement of the tracker verifies one and the same log, and for how much CPU time an event; how fast Storm's own
 * parts read it that verify nothing; and each placement with an output against Kafka Streams with {@code exactly_once_v2}.
 *
 * <p>A round runs all, one after the other, as {@link MeasuredTopology} says. A person runs it: {@code
 * scripts/bench placement}.
 */
public final class PlacementBench {
    private static final String USAGE = """
            Verifies one and the same log with both placements of the tracker in turn, and reads it with Storm's KafkaSpout alone and with
            two bolts that do nothing; transforms it into an output with both placements and with Kafka Streams (exactly_once_v2). Prints
            how fast each is and for how much CPU time, and the ratios that docs/PERFORMANCE.md holds.

              scripts/bench placement [EVENTS [ROUNDS]]

            EVENTS is 6000000 and ROUNDS is 3 if not given, which takes ten minutes on two cores. Needs a JDK 17 or newer (JAVA_HOME,
            or java in PATH), and the network for the first build.
            """;

    private static final String BOLT = TrackerPlacement.BOLT.label();
    private static final String SOURCE = TrackerPlacement.SOURCE.label();
    private static final String KAFKA_SPOUT = "KafkaSpout alone";
    private static final String TWO_BOLTS = "KafkaSpout, two bolts";
    private static final String SOURCE_OUTPUT = SOURCE + " with an output";
    private static final String BOLT_OUTPUT = BOLT + " with an output";
    private static final String STREAMS = "Kafka Streams";

    private final Rounds rounds = new Rounds();

    private PlacementBench() {}

    /** The value behind a word: as short as a transform can be that does anything. */
    public static final class Prefix implements EventTransform {
        private static final byte[] WORD = "made ".getBytes(StandardCharsets.US_ASCII);

        static byte[] of(byte[] value) {
            byte[] made = Arrays.copyOf(WORD, WORD.length + value.length);
            System.arraycopy(value, 0, made, WORD.length, value.length);
            return made;
        }

        @Override
        public Transformed apply(InputEvent event) {
            return Transformed.of(of(event.value()));
        }
    }

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
        } else if (what.equals(STREAMS)) {
            streams(servers, config.groupId(), topic);
        } else {
            MeasuredTopology.runUntilEnded(
                    VerificationTopology.build(config), VerificationTopology.stormConfig(config));
        }
    }

    private static void streams(String servers, String group, String topic) throws Exception {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, group);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .mapValues(value -> value == null ? null : Prefix.of(value))
                .to(MeasuredTopology.output(group), Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            streams.start();
            new CountDownLatch(1).await();
        }
    }

    private void run(MeasuredTopology topology, int count) throws Exception {
        int runs = 0;
        for (int round = 1; round <= count; round++) {
            for (String what : List.of(KAFKA_SPOUT, SOURCE, TWO_BOLTS, BOLT, STREAMS, SOURCE_OUTPUT, BOLT_OUTPUT)) {
                String group = "run-" + runs++;
                List<String> settings =
                        new ArrayList<>(List.of("tracker.placement=" + (what.startsWith(BOLT) ? BOLT : SOURCE)));
                if (what.equals(SOURCE_OUTPUT) || what.equals(BOLT_OUTPUT)) {
                    settings.add("output.topic=" + MeasuredTopology.output(group));
                    settings.add("transform=" + Prefix.class.getName());
                }
                Measured one = topology.run(group, settings, PlacementBench.class, what);
                one.print(round, what);
                rounds.add(what, one.recordsPerSecond(), one.cpuNanosPerRecord());
            }
        }
        rounds.compare(SOURCE, KAFKA_SPOUT);
        rounds.compare(BOLT, SOURCE);
        rounds.compare(BOLT, TWO_BOLTS);
        rounds.compare(SOURCE_OUTPUT, STREAMS);
        rounds.compare(BOLT_OUTPUT, STREAMS);
        rounds.write("topology");
    }
}
