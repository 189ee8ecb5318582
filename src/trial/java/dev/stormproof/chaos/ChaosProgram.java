package dev.stormproof.chaos;

import dev.stormproof.chaos.ChaosRound.Scene;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.packaging.testing.ClusterScript;
import dev.stormproof.trial.Arguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program injects cluster faults, one after the other, while events flow and faulty events among them, and checks after
 * each that exactly the faulty events were alerted, once, and that every checkpoint is judged.
 *
 * <p>A person runs it: {@code scripts/trial under-fire}. Exits with 0 if all was as it should be, 1 if not, 64 on wrong usage.
 */
public final class ChaosProgram {
    private static final String USAGE = """
            Chaos rounds on a living cluster of processes (scripts/cluster): each injects one cluster fault while events flow, faulty
            ones of every kind among them, waits until everything is verified again, and compares the alerts with the injected faults
            and with the log: every faulty event once, nothing else.

              scripts/trial under-fire [--faults KIND[,KIND…]|all] [--count N] [--rate EVENTS/S] [--seed S] [--placement bolt|source|verify]
                                 [--brokers N] [--supervisors N] [--nimbus N] [--client-rack RACK] [--storm-version VERSION]
                                 [--deliver|--hold] [--results FILE] [--keep]
              scripts/trial under-fire --summary [--results FILE]

            KIND is one of worker-kill, worker-stop, worker-pause, supervisor-kill, nimbus-kill, zookeeper-kill, broker-kill,
            broker-stop, rebalance, resubmit, connection-cut (which needs Linux, iproute2's ss and root), topic-settings,
            log-start-move, retention, partition-add, producer-expiry, rights-revoke; with --supervisors 2 supervisor-loss; with --brokers 3
            broker-pause, broker-roll, controller-kill, leader-move, replica-move, isr-shrink, disk-read-only and disk-full (which need Linux and root),
            clock-off (Linux, and the package libfaketime), network-cut (as connection-cut), unclean-election. docs/RELIABILITY.md says
            what each is.
            all are those that the cluster can have. The N of --count is how often each is injected, in an order drawn from the seed: 1
            if not given; the rate is 2000. --client-rack has the topology fetch from the followers in a rack: broker N is in rack-N.

            One JSON line per round is appended to FILE (target/under-fire/results.jsonl), so that a run can be followed by another;
            --summary prints the table of all of them. A line's fault and seed, given to --faults and --seed, play the round again.
            --placement says where the topology verifies (tracker.placement); at the source there are no connections to cut. With verify two
            replicas of stormproof watch do, which are started again when they end, and what happens to Storm is left out. Memory, threads and
            open files of the first one are drawn in target/under-fire/usage.svg; if it lives for half an hour they must stay flat. A long run is
            --brokers 3 --placement verify --hold --faults broker-kill,broker-pause,broker-roll,retention --count 30.
            --deliver has the topology write an output, which is compared with the transformed input after each round, record by record;
            at the end an audit of the output must name what one of the input names. --hold has that output trail the verdicts
            (output.hold=verified, output.on.violation=mark): each event of a verified interval is in it once without the mark, and nothing else is.
            --storm-version has daemons and workers of another release of Storm than the topology is built with.
            --keep leaves the cluster running, under the name under-fire.

            Exit codes: 0 all as it should be, 1 not, 64 wrong usage, 70 the build failed. Needs a JDK 17 or newer (JAVA_HOME, or java
            in PATH), and the network for the first build. MAVEN_ARGS is passed on to Maven.
            """;

    private static final String CLUSTER = "under-fire";
    private static final String TOPOLOGY = "fire";
    private static final Scene SCENE = new Scene("orders", 4, "orders-alerts", "orders-verdicts");
    private static final String OUTPUT = "orders-json";
    private static final String TRANSFORM = "log-json";

    /** Records and ids of producers are looked through each second, and rights can be revoked. */
    private static final List<String> KAFKA = List.of(
            "log.retention.check.interval.ms=1000",
            "producer.id.expiration.check.interval.ms=1000",
            "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found=true",
            "principal.builder.class=ListenerPrincipal",
            "super.users=User:controller");

    private final Options options;
    private final Results results;
    private final ClusterScript script = new ClusterScript(CLUSTER);
    private boolean good = true;

    private ChaosProgram(Options options) {
        this.options = options;
        this.results = new Results(options.results());
    }

    public static void main(String[] arguments) throws Exception {
        Arguments.helpIfAsked(USAGE, arguments);
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("under-fire: " + e.getMessage() + "; see scripts/trial under-fire --help");
            System.exit(Arguments.WRONG);
            return;
        }
        ChaosProgram program = new ChaosProgram(options);
        if (!options.summary()) {
            program.run();
        }
        System.out.println(Results.table(program.results.read()));
        System.exit(program.good ? 0 : 1);
    }

    private void run() throws Exception {
        script.run("down", "--purge").done();
        Thread emergency = new Thread(() -> script.run("down"));
        Runtime.getRuntime().addShutdownHook(emergency);
        try {
            play(up());
        } finally {
            Runtime.getRuntime().removeShutdownHook(emergency);
            if (!options.keep()) {
                script.run("down").done();
            }
        }
    }

    /** Starts the cluster; returns the addresses of its brokers. */
    private String up() {
        Options.Size size = options.size();
        List<String> arguments = new ArrayList<>(List.of("up", "--slots", size.supervisors() == 1 ? "3" : "2"));
        Collections.addAll(arguments, "--brokers", Integer.toString(size.brokers()));
        Collections.addAll(arguments, "--supervisors", Integer.toString(size.supervisors()));
        Collections.addAll(arguments, "--nimbus", Integer.toString(size.nimbuses()));
        options.stormVersion().ifPresent(version -> Collections.addAll(arguments, "--storm-version", version));
        Collections.addAll(arguments, "--worker-opts", "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        Collections.addAll(arguments, "--topic", SCENE.topic() + ":" + SCENE.partitions());
        if (options.deliver()) {
            Collections.addAll(arguments, "--topic", OUTPUT + ":" + SCENE.partitions());
        }
        Collections.addAll(arguments, "--topic", SCENE.alertsTopic() + ":1", "--topic", SCENE.verdictsTopic() + ":1");
        ChaosRound.STORM.forEach(setting -> Collections.addAll(arguments, "--storm", setting));
        KAFKA.forEach(setting -> Collections.addAll(arguments, "--kafka", setting));
        return Pattern.compile("broker-\\d+ +(127\\.0\\.0\\.1:\\d+)")
                .matcher(script.run(arguments.toArray(String[]::new)).done().printed())
                .results()
                .map(broker -> broker.group(1))
                .collect(Collectors.joining(","));
    }

    private void play(String servers) throws Exception {
        Path config = configuration(servers);
        if (options.placement() != Placement.VERIFY) {
            play(servers, config, Optional.empty());
            return;
        }
        try (Replicas replicas = new Replicas(config, ChaosProgram::print)) {
            Runtime.getRuntime().addShutdownHook(new Thread(replicas::kill));
            play(servers, config, Optional.of(replicas));
        }
    }

    private void play(String servers, Path config, Optional<Replicas> replicas) throws Exception {
        new LivingCluster(script, TOPOLOGY, config, replicas).submit();
        Optional<Usage> usage =
                replicas.map(all -> Usage.of(all.running().get(0).pid()));
        Optional<OutputCheck> output = options.deliver()
                ? Optional.of(
                        new OutputCheck(servers, SCENE.topic(), OUTPUT, SCENE.partitions(), TRANSFORM, options.hold()))
                : Optional.empty();
        Scene scene = new Scene(SCENE.topic(), SCENE.partitions(), SCENE.alertsTopic(), SCENE.verdictsTopic(), output);
        try (ChaosRound round = new ChaosRound(
                script, servers, TOPOLOGY, config, replicas, scene, options.eventsPerSecond(), ChaosProgram::print)) {
            long seed = options.seed();
            for (ClusterFault fault : schedule()) {
                Result result = played(round, fault, seed);
                results.append(result);
                good &= result.isGood();
                print((result.isGood() ? "" : "NOT GOOD ") + result.toJson());
                if (!result.failure().isEmpty()) {
                    keepLogs(fault, seed);
                    return;
                }
                seed++;
            }
        }
        if (usage.isPresent()) {
            judge(usage.get());
        }
        if (output.isPresent()) {
            Set<String> differences = output.get().differencesOfAudits();
            print("audits of input and output differ in " + differences.size() + " anomalies");
            differences.forEach(ChaosProgram::print);
            good &= differences.isEmpty();
            if (!differences.isEmpty()) {
                Path kept = Path.of("target", "under-fire", "audits-" + options.seed());
                output.get().keep(differences, kept);
                print("both audits and the records of these streams are kept in " + kept);
            }
            output.get().close();
        }
    }

    private void judge(Usage usage) throws IOException {
        Path plot = Files.writeString(Path.of("target", "under-fire", "usage.svg"), usage.svg());
        print("usage of the first replica, " + plot + ": " + usage.summary());
        List<String> complaints = usage.complaints();
        complaints.forEach(ChaosProgram::print);
        good &= complaints.isEmpty();
        usage.close();
    }

    /** What the daemons said until a round failed: the next cluster of the name takes their place. */
    private static void keepLogs(ClusterFault fault, long seed) throws IOException {
        Path logs = Path.of("target", "cluster", CLUSTER, "logs");
        Path kept = Path.of("target", "under-fire", fault + "-" + seed);
        Files.createDirectories(kept);
        try (Stream<Path> all = Files.list(logs)) {
            for (Path log : all.filter(Files::isRegularFile).toList()) {
                Files.copy(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        print("the daemons' logs are kept in " + kept);
    }

    private static void print(String line) {
        System.out.println(line);
    }

    /** Each pass over the cluster faults in an order of its own; a single one is played with the seed as given. */
    private List<ClusterFault> schedule() {
        Random random = new Random(options.seed());
        List<ClusterFault> schedule = new ArrayList<>();
        for (int pass = 0; pass < options.count(); pass++) {
            List<ClusterFault> shuffled = new ArrayList<>(options.faults());
            Collections.shuffle(shuffled, random);
            schedule.addAll(shuffled);
        }
        return schedule;
    }

    /** The result of a round; an error that ends it early is a result, too. */
    private static Result played(ChaosRound round, ClusterFault fault, long seed) throws Exception {
        Instant at = Instant.now();
        System.out.printf(Locale.ROOT, "%s %s, seed %d%n", at, fault.label(), seed);
        try {
            return round.play(fault, seed);
        } catch (WaitLimit.NotInTimeException | AssertionError | IOException e) {
            return Result.failed(at, fault, seed, String.valueOf(e.getMessage()));
        }
    }

    private Path configuration(String servers) throws IOException {
        Path config = Path.of("target", "under-fire", "verify.properties").toAbsolutePath();
        Files.createDirectories(config.getParent());
        List<String> lines = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "group.id=" + TOPOLOGY,
                "input.topics=" + SCENE.topic(),
                "alerts.topic=" + SCENE.alertsTopic(),
                "verdicts.topic=" + SCENE.verdictsTopic(),
                "flush.interval.ms=100"));
        lines.addAll(
                switch (options.placement()) {
                    case BOLT -> List.of("workers=2", "spout.tasks=2", "checkpoint.tasks=2");
                    case SOURCE -> List.of("workers=2", "spout.tasks=2", "tracker.placement=source");
                    case VERIFY -> List.of("checkpoint.tasks=2");
                });
        options.clientRack().ifPresent(rack -> lines.add("consumer.client.rack=" + rack));
        if (options.deliver()) {
            Collections.addAll(lines, "output.topic=" + OUTPUT, "transform=" + TRANSFORM);
        }
        if (options.hold()) {
            Collections.addAll(lines, "output.hold=verified", "output.on.violation=mark");
        }
        return Files.write(config, lines);
    }
}
