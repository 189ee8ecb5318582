package dev.stormproof.blame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.blame.Injection.Fault;
import dev.stormproof.blame.Injection.Named;
import dev.stormproof.blame.Injection.Place;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.trial.Arguments;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Hop;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A trial of blame: faults of every kind are injected before the transform, in a broken build of it and behind it, and {@code audit}
 * of the output must name each on its hop.
 *
 * <pre>
 *   upstream ──faults──► origin ──► a transform whose reader and writer err ──faults──► output ──► audit --origin-bootstrap-server ──► hops
 *     └───────────────────────────────────────── what was injected ───────────────────────────────┴──► precision, recall
 * </pre>
 *
 * <p>{@code BlameTrial FAULTS SEED}: how many faults, and what decides everything random. Ends with 1 unless exactly what was
 * injected was named, each on its hop.
 */
final class BlameTrial {
    private static final String USAGE = """
            Faults of every kind before a transform, in a broken build of it and behind it, on a real broker; an audit of the output must name
            each on the hop where it was injected. Prints the matrix, precision and recall. Exits with 1 if one of them is not 1.

              scripts/trial blame [FAULTS [SEED]]

            FAULTS is how many faults are injected beside lost checkpoints: 1200 if not given, which takes about a minute. Needs a JDK 17 or
            newer (JAVA_HOME, or java in PATH), and the network for the first build.
            """;

    private static final int PARTITIONS = 4;

    /** So far lie the faults of one partition from each other, in sequences: a swap takes two. */
    private static final int SLOT = 4;

    private static final int INTERVAL = 24;

    private final EmbeddedKafka kafka;
    private final String origin;
    private final String output;
    private final SplittableRandom random;
    private final List<Injection> injections = new ArrayList<>();
    private final int events;

    /** A score counts the faults and the anomalies of a trial. */
    record Score(int injected, int named, int others) {
        double recall() {
            return injected == 0 ? 1 : (double) named / injected;
        }

        double precision() {
            return named + others == 0 ? 1 : (double) named / (named + others);
        }
    }

    /** @param origin the input's topic; the output's has a name of its own */
    BlameTrial(EmbeddedKafka kafka, String origin, int faults, long seed) {
        this.kafka = kafka;
        this.origin = origin;
        this.output = origin + "-made";
        this.random = new SplittableRandom(seed);
        int perPartition = (faults + PARTITIONS - 1) / PARTITIONS;
        // The last interval is left alone, so that every checkpoint that is lost has a successor.
        this.events = PARTITIONS * ((perPartition * SLOT / INTERVAL + 2) * INTERVAL);
        List<Kind> kinds = kinds();
        for (int fault = 0; fault < faults; fault++) {
            Kind kind = kinds.get(fault % kinds.size());
            int slot = fault / PARTITIONS;
            injections.add(new Injection(fault % PARTITIONS, kind.place(), kind.fault(), (long) slot * SLOT + 1));
        }
        // Lost checkpoints stand beside these; checkpoint 0 seals nothing.
        Place[] places = {Place.BEFORE, Place.WRITING, Place.BEHIND};
        for (int number = 2; number < perPartition * SLOT / INTERVAL; number += 3) {
            injections.add(new Injection(
                    random.nextInt(PARTITIONS), places[random.nextInt(places.length)], Fault.CHECKPOINT, number));
        }
    }

    private record Kind(Place place, Fault fault) {}

    private List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>(Stream.of(Place.values())
                .flatMap(place -> Stream.of(Fault.values())
                        .filter(fault -> fault != Fault.CHECKPOINT)
                        .filter(fault -> place != Place.READING || fault.isOfContent())
                        .map(fault -> new Kind(place, fault)))
                .toList());
        for (int last = kinds.size() - 1; last > 0; last--) {
            int other = random.nextInt(last + 1);
            Kind moved = kinds.set(last, kinds.get(other));
            kinds.set(other, moved);
        }
        return kinds;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(USAGE, 2, args);
        int faults = Math.toIntExact(arguments.number(0, 1_200));
        long seed = arguments.number(1, 1);
        Score score;
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            score = new BlameTrial(kafka, "trial", faults, seed).run(System.out);
        }
        System.exit(score.precision() == 1 && score.recall() == 1 && score.injected() > 0 ? 0 : 1);
    }

    Score run(PrintStream out) throws Exception {
        kafka.createTopic(origin, PARTITIONS, Map.of());
        kafka.createTopic(output, PARTITIONS, Map.of());
        Map<Integer, List<ProducerRecord<byte[], byte[]>>> sent =
                byPartition(PaperLog.of(origin, PARTITIONS, events, INTERVAL, Map.of()));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            List<Future<RecordMetadata>> written = new ArrayList<>();
            sent.forEach((partition, records) -> {
                List<byte[]> checkpoints = records.stream()
                        .map(Injection::checkpointOf)
                        .filter(Objects::nonNull)
                        .toList();
                at(partition, Place.BEFORE).forEach(injection -> injection.into(records, checkpoints));
                records.forEach(record -> written.add(producer.send(record)));
                List<ProducerRecord<byte[], byte[]>> made = BrokenTransform.of(
                        records, output, at(partition, Place.READING), at(partition, Place.WRITING), checkpoints);
                at(partition, Place.BEHIND).forEach(injection -> injection.into(made, checkpoints));
                made.forEach(record -> written.add(producer.send(record)));
            });
            for (Future<RecordMetadata> one : written) {
                one.get();
            }
        }
        return compared(audit(), out);
    }

    private List<Injection> at(int partition, Place place) {
        return injections.stream()
                .filter(injection -> injection.partition() == partition && injection.place() == place)
                .toList();
    }

    private static Map<Integer, List<ProducerRecord<byte[], byte[]>>> byPartition(
            List<ProducerRecord<byte[], byte[]>> records) {
        Map<Integer, List<ProducerRecord<byte[], byte[]>>> byPartition = new HashMap<>();
        records.forEach(record -> byPartition
                .computeIfAbsent(Objects.requireNonNull(record.partition()), first -> new ArrayList<>())
                .add(record));
        return byPartition;
    }

    /** What an audit of the output names, each event by itself. */
    private Set<Named> audit() throws IOException {
        Shell.Result result = Shell.here(
                "audit",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--topic",
                output,
                "--origin",
                origin,
                "--origin-bootstrap-server",
                kafka.bootstrapServers(),
                "--json",
                "--all");
        if (result.exitCode() != 1) {
            throw new IllegalStateException(result.toString());
        }
        Set<Named> named = new HashSet<>();
        for (String line : result.out().lines().toList()) {
            JsonNode finding = new ObjectMapper().readTree(line);
            if (finding.has("audited")) {
                continue;
            }
            for (JsonNode anomaly : finding.path("anomalies")) {
                for (long number = anomaly.get("begin").asLong();
                        number < anomaly.get("end").asLong();
                        number++) {
                    named.add(new Named(
                            finding.get("partition").asInt(),
                            EnumNames.constant(
                                    Anomaly.Kind.class, anomaly.get("kind").asText()),
                            number,
                            EnumNames.constant(Hop.class, anomaly.path("hop").asText("log"))));
                }
            }
            String type = finding.get("finding").asText();
            if (!type.equals("verified") && !type.equals("violated")) {
                throw new IllegalStateException("nothing of the kind was injected: " + line);
            }
        }
        return named;
    }

    private Score compared(Set<Named> named, PrintStream out) {
        Set<Named> left = new HashSet<>(named);
        int found = 0;
        out.println("| injected | fault | faults | named on | on the right hop |");
        out.println("|---|---|--:|---|--:|");
        for (Place place : Place.values()) {
            for (Fault fault : Fault.values()) {
                List<Named> expected = injections.stream()
                        .filter(injection -> injection.place() == place && injection.fault() == fault)
                        .map(Injection::expected)
                        .toList();
                if (!expected.isEmpty()) {
                    long right = expected.stream().filter(left::remove).count();
                    found += (int) right;
                    out.printf(
                            Locale.ROOT,
                            "| %s | %s | %,d | `%s` | %,d |%n",
                            words(place),
                            words(fault),
                            expected.size(),
                            EnumNames.of(expected.get(0).hop()),
                            right);
                }
            }
        }
        left.forEach(other -> out.println("not injected: " + other));
        Score score = new Score(injections.size(), found, left.size());
        out.printf(
                Locale.ROOT,
                "%,d faults, %,d anomalies: precision %s, recall %s%n",
                score.injected(),
                named.size(),
                score.precision(),
                score.recall());
        return score;
    }

    private static String words(Place place) {
        return switch (place) {
            case BEFORE -> "before the transform";
            case READING -> "in it, before it signs";
            case WRITING -> "in it, behind its signature";
            case BEHIND -> "behind it";
        };
    }

    private static String words(Fault fault) {
        return switch (fault) {
            case LOST -> "lost";
            case DUPLICATED -> "duplicated";
            case REORDERED -> "reordered";
            case ALTERED -> "value altered";
            case KEY -> "key changed";
            case HEADER -> "event header altered";
            case CHECKPOINT -> "checkpoint lost";
        };
    }
}
