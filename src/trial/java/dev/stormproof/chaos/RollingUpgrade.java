package dev.stormproof.chaos;

import static java.util.stream.Collectors.joining;

import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.TopicPartition;

/**
 * A rolling upgrade replaces three brokers, one by one and release by release, while events flow, faulty ones among them, and
 * {@code stormproof watch} verifies them:
 *
 * <pre>
 *   3.9 3.9 3.9 ──► 4.1 3.9 3.9 ──► 4.1 4.1 3.9 ──► 4.1 4.1 4.1, features ──► 4.3 4.1 4.1 ──► …
 *   emitters ────────────────────────────────────────────────────────────────────────────────── end, all judged, compare
 * </pre>
 *
 * <p>A person runs it: {@code scripts/check brokers --upgrade}. Exits with 0 if exactly the faults were named and everything is
 * judged, 1 if not, 64 on wrong usage.
 */
public final class RollingUpgrade {
    private static final int USAGE = 64;
    private static final int BROKERS = 3;
    private static final int PARTITIONS = 4;
    private static final double EVENTS_PER_SECOND = 500;
    private static final long SETTLE_SECONDS = 5;
    private static final long PATIENCE_SECONDS = 300;
    private static final short REPLICAS = 3;
    private static final String TOPIC = "orders";
    private static final String ALERTS = "orders-alerts";
    private static final String VERDICTS = "orders-verdicts";
    private static final String GROUP = "upgrade";
    /** Of the quorum itself, which keeps its fixed voters. */
    private static final String QUORUM_FEATURE = "kraft.version";

    private final List<Release> releases;
    private final UpgradedBrokers brokers;
    private final Path dir;
    private final long seed;

    /** A release and the file that holds the class path of its broker. */
    record Release(String version, String classPath) {}

    private RollingUpgrade(Path dir, long seed, List<Release> releases) throws IOException {
        this.dir = dir;
        this.seed = seed;
        this.releases = releases;
        this.brokers = new UpgradedBrokers(dir, BROKERS);
    }

    /** Arguments: a directory, the seed, and VERSION=FILE for each release, the file with its class path. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 4) {
            System.err.println("want DIRECTORY SEED VERSION=FILE VERSION=FILE…; see scripts/check brokers --help");
            System.exit(USAGE);
        }
        List<Release> releases = new ArrayList<>();
        for (String argument : List.of(arguments).subList(2, arguments.length)) {
            String[] parts = argument.split("=", 2);
            releases.add(
                    new Release(parts[0], Files.readString(Path.of(parts[1])).strip()));
        }
        Path dir = Path.of(arguments[0]).toAbsolutePath();
        System.exit(new RollingUpgrade(dir, Long.parseLong(arguments[1]), releases).run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        Thread emergency = new Thread(brokers::close);
        Runtime.getRuntime().addShutdownHook(emergency);
        try (brokers) {
            for (int node = 1; node <= BROKERS; node++) {
                brokers.format(node, releases.get(0));
                brokers.start(node, releases.get(0));
            }
            createTopics();
            try (TopicControl control = new TopicControl(brokers.servers());
                    JavaProcess verifier = JavaProcess.verify(configuration(), dir.resolve("verify.log"));
                    KafkaView view = new KafkaView(brokers.servers(), GROUP, TOPIC, PARTITIONS);
                    Emitters emitters = Emitters.start(
                            brokers.servers(),
                            TOPIC,
                            EVENTS_PER_SECOND,
                            Conduct.ofMany(PARTITIONS),
                            new SplittableRandom(seed))) {
                upgrade(control, view);
                emitters.end();
                boolean exact = compared(view, emitters);
                if (!verifier.isAlive()) {
                    System.out.println("NOT GOOD verify has ended; see " + dir.resolve("verify.log"));
                }
                return exact && verifier.isAlive();
            }
        }
    }

    private void createTopics() throws ExecutionException, InterruptedException {
        List<NewTopic> topics = List.of(
                new NewTopic(TOPIC, PARTITIONS, REPLICAS),
                new NewTopic(ALERTS, 1, REPLICAS),
                new NewTopic(VERDICTS, 1, REPLICAS));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.servers()))) {
            admin.createTopics(topics).all().get();
        }
    }

    private Path configuration() throws IOException {
        return Files.write(
                dir.resolve("verify.properties"),
                List.of(
                        "bootstrap.servers=" + brokers.servers(),
                        "group.id=" + GROUP,
                        "input.topics=" + TOPIC,
                        "alerts.topic=" + ALERTS,
                        "verdicts.topic=" + VERDICTS,
                        "checkpoint.tasks=2"));
    }

    private void upgrade(TopicControl control, KafkaView view) throws Exception {
        awaitVerified(control, view, "all brokers are " + releases.get(0).version());
        for (Release next : releases.subList(1, releases.size())) {
            for (int node = 1; node <= BROKERS; node++) {
                brokers.stop(node);
                brokers.start(node, next);
                awaitVerified(control, view, "broker " + node + " is " + next.version());
            }
            awaitVerified(control, view, "features " + upgradeFeatures());
        }
    }

    /** Waits until replicas are in sync and what is in the log now is verified, and lets events flow for some seconds more. */
    private void awaitVerified(TopicControl control, KafkaView view, String what) throws Exception {
        long begin = System.nanoTime();
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        control.awaitInSync();
        Map<TopicPartition, Long> ends = view.awaitEnds(limit);
        view.awaitProgress(ends, limit);
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        System.out.printf(
                Locale.ROOT,
                "%s: in sync, and %,d records verified, after %.1f s%n",
                what,
                ends.values().stream().mapToLong(Long::longValue).sum(),
                seconds);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    }

    /** Raises every feature to what all brokers support now, as the last step of an upgrade; returns them. */
    private Map<String, Short> upgradeFeatures() throws ExecutionException, InterruptedException {
        Map<String, Short> raised = new TreeMap<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.servers()))) {
            FeatureMetadata features =
                    admin.describeFeatures().featureMetadata().get();
            Map<String, FeatureUpdate> updates = new HashMap<>();
            features.supportedFeatures().forEach((feature, supported) -> {
                var finalized = features.finalizedFeatures().get(feature);
                short now = finalized == null ? 0 : finalized.maxVersionLevel();
                if (!feature.equals(QUORUM_FEATURE) && supported.maxVersion() > now) {
                    updates.put(feature, new FeatureUpdate(supported.maxVersion(), FeatureUpdate.UpgradeType.UPGRADE));
                    raised.put(feature, supported.maxVersion());
                }
            });
            admin.updateFeatures(updates, new UpdateFeaturesOptions()).all().get();
        }
        return raised;
    }

    private boolean compared(KafkaView view, Emitters emitters)
            throws IOException, InterruptedException, ExpiredRangeException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        Map<TopicPartition, Long> ends = view.awaitEnds(limit);
        view.awaitProgress(ends, limit);
        RoundLog log = RoundLog.read(view.servers(), Map.of(), ends);
        Published alerts = new Published(TOPIC);
        Published verdicts = new Published(TOPIC);
        view.readPublished(ALERTS, 0, alerts);
        view.readPublished(VERDICTS, 0, verdicts);
        Comparison comparison = Comparison.of(emitters.injected(), log, alerts, verdicts);
        comparison.complaints().stream().limit(50).forEach(System.out::println);
        System.out.printf(
                Locale.ROOT,
                "brokers %s: %,d events in %,d intervals, %,d sends failed; %d of %d faults named; missed %d, false %d, unjudged %d,"
                        + " published twice %d%n",
                releases.stream().map(Release::version).collect(joining(" → ")),
                log.events(),
                log.checkpoints().size(),
                emitters.failed(),
                comparison.reported(),
                comparison.expected(),
                comparison.missed().size(),
                comparison.falseAlerts().size(),
                comparison.unjudged().size(),
                comparison.publishedTwice().size());
        return comparison.isExact() && comparison.expected() > 0 && comparison.reported() == comparison.expected();
    }
}
