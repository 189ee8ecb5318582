package dev.stormproof.chaos;

import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.trial.Arguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * A soak of three brokers and two {@code stormproof watch}: events flow for minutes or hours, faulty ones among them, and in each
 * round something of the cluster is killed, paused or restarted.
 *
 * <pre>
 *   pressing: how much is verified in a second? ──► 60 % of that
 *   round     emitters │ fault ── repair │ end, all judged, compare        again and again, each a minute and a little more
 *   usage     memory, threads and files of the replica that is never killed, every two seconds ──► SVG, flat?
 * </pre>
 *
 * <p>A person runs it: {@code scripts/trial soak}. Exits with 0 if exactly the faults were named in each round and the replica's
 * usage is flat, 1 if not.
 */
public final class ClusterSoak {
    private static final String USAGE = """
            Three brokers and two stormproof watch, each a process. Faulty events flow among others, at 60 % of what a first pressing
            shows to be the most, or at --rate. About once in each minute a broker or one of the two is killed, paused or restarted;
            exactly the faulty events must be named.

              scripts/trial soak [--minutes N] [--rate EVENTS/S] [--seed S] [--faults KIND[,KIND…]|all]

            N is 10 if not given. KIND is one of broker-kill, broker-pause, broker-roll, verify-kill, verify-pause, verify-roll; all if not
            given. What the log holds of a stream that is complained of is kept in target/soak/cluster. Memory, threads and open files of
            the watch that is never killed must stay flat; target/soak/cluster/usage.svg draws them. Exits with 1 if anything is wrong.
            Needs a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network for the first build.
            """;

    private static final int BROKERS = 3;
    private static final int PARTITIONS = 6;
    private static final double OF_SATURATION = 0.6;
    private static final double PRESSING_RATE = 1_000_000;
    private static final long PRESSING_SECONDS = 20;
    private static final long ROUND_SECONDS = 60;
    private static final int MOST_PAUSE_MILLIS = 12_000;
    private static final int MOST_DOWN_MILLIS = 5_000;
    private static final long PATIENCE_SECONDS = 300;
    private static final short REPLICAS = 3;
    /** Hours at this rate are 30 GB each: the disk holds what is 20 minutes old. */
    private static final Map<String, String> KEPT_FOR_A_WHILE =
            Map.of("retention.ms", "1200000", "segment.bytes", "134217728");

    private static final String TOPIC = "orders";
    private static final String ALERTS = "orders-alerts";
    private static final String VERDICTS = "orders-verdicts";
    private static final String GROUP = "soak";
    private static final String FAULT = "(broker|verify)-(kill|pause|roll)";
    private static final String FAULTS = "all|" + FAULT + "(," + FAULT + ")*";

    private final Path dir;
    private final long minutes;
    private final double wantedRate;
    private final SplittableRandom random;
    private final List<Fault> faults;
    private final BrokerProcesses brokers;
    private long alertsRead;
    private long verdictsRead;
    private long events;
    private long intervals;
    private long named;
    private long rounds;
    private boolean good = true;

    /** What happens in a round. */
    private enum Fault {
        BROKER_KILL,
        BROKER_PAUSE,
        BROKER_ROLL,
        VERIFY_KILL,
        VERIFY_PAUSE,
        VERIFY_ROLL;

        static Fault of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    private ClusterSoak(Path dir, long minutes, double wantedRate, long seed, List<Fault> faults) throws IOException {
        this.dir = dir;
        this.minutes = minutes;
        this.wantedRate = wantedRate;
        this.random = new SplittableRandom(seed);
        this.faults = faults;
        this.brokers = new BrokerProcesses(dir, BROKERS);
    }

    /** Takes what {@code scripts/trial soak --help} says. */
    public static void main(String[] arguments) throws Exception {
        Arguments.helpIfAsked(USAGE, arguments);
        Map<String, String> given =
                new HashMap<>(Map.of("--minutes", "10", "--rate", "0", "--seed", "1", "--faults", "all"));
        for (int i = 0; i < arguments.length; i += 2) {
            boolean number = !arguments[i].equals("--faults");
            if (!given.containsKey(arguments[i])
                    || i + 1 == arguments.length
                    || !arguments[i + 1].matches(number ? "[0-9]{1,18}" : FAULTS)) {
                System.err.println("soak: '" + arguments[i] + "' or its value is wrong; see scripts/trial soak --help");
                System.exit(Arguments.WRONG);
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        System.setProperty("stormproof.log.level", "OFF");
        String faults = Objects.requireNonNull(given.get("--faults"));
        ClusterSoak soak = new ClusterSoak(
                emptied(Path.of("target", "soak", "cluster")).toAbsolutePath(),
                Long.parseLong(given.get("--minutes")),
                Double.parseDouble(given.get("--rate")),
                Long.parseLong(given.get("--seed")),
                faults.equals("all")
                        ? List.of(Fault.values())
                        : Stream.of(faults.split(",", -1)).map(Fault::of).toList());
        System.exit(soak.run() ? 0 : 1);
    }

    /** A directory without what an earlier run left in it. */
    private static Path emptied(Path dir) throws IOException {
        if (Files.exists(dir)) {
            List<Path> left;
            try (Stream<Path> all = Files.walk(dir)) {
                left = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path one : left) {
                Files.delete(one);
            }
        }
        return Files.createDirectories(dir);
    }

    private boolean run() throws Exception {
        Thread emergency = new Thread(brokers::close);
        Runtime.getRuntime().addShutdownHook(emergency);
        try (brokers) {
            for (int node = 1; node <= BROKERS; node++) {
                brokers.format(node);
                brokers.start(node);
            }
            createTopics();
            Path config = configuration();
            Path log = dir.resolve("verify.log");
            try (TopicControl control = new TopicControl(brokers.servers());
                    KafkaView view = new KafkaView(brokers.servers(), GROUP, TOPIC, PARTITIONS);
                    JavaProcess steady = JavaProcess.verify(config, log);
                    Replaced other = new Replaced(config, log);
                    Usage usage = Usage.of(steady.pid())) {
                double rate = wantedRate > 0 ? wantedRate : OF_SATURATION * press(view);
                System.out.printf(Locale.ROOT, "%,.0f events a second, %d minutes%n", rate, minutes);
                long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
                while (System.nanoTime() < end) {
                    play(++rounds, rate, control, view, other);
                    Files.writeString(dir.resolve("usage.svg"), usage.svg());
                }
                List<String> complaints = usage.complaints();
                complaints.forEach(System.out::println);
                System.out.printf(
                        Locale.ROOT,
                        "%,d events in %,d intervals, %,d faults named, %d rounds with a fault each; %s; %s%n",
                        events,
                        intervals,
                        named,
                        rounds,
                        good ? "nothing missed, false, unjudged or told twice" : "NOT GOOD",
                        usage.summary());
                return good && complaints.isEmpty() && steady.isAlive();
            }
        }
    }

    /** The replica that faults befall. */
    private static final class Replaced implements AutoCloseable {
        private final Path config;
        private final Path log;
        private JavaProcess process;

        Replaced(Path config, Path log) throws IOException {
            this.config = config;
            this.log = log;
            this.process = JavaProcess.verify(config, log);
        }

        void startAgain() throws IOException {
            process = JavaProcess.verify(config, log);
        }

        @Override
        public void close() {
            process.close();
        }
    }

    private void createTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.servers()))) {
            admin.createTopics(List.of(
                            new NewTopic(TOPIC, PARTITIONS, REPLICAS).configs(KEPT_FOR_A_WHILE),
                            new NewTopic(ALERTS, 1, REPLICAS),
                            new NewTopic(VERDICTS, 1, REPLICAS)))
                    .all()
                    .get();
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

    /** How many events a second go all the way, from emitters that do not wait to what is verified. */
    private double press(KafkaView view) throws Exception {
        long begin = System.nanoTime();
        RoundLog log = round(view, PRESSING_RATE, () -> TimeUnit.SECONDS.sleep(PRESSING_SECONDS), "pressing");
        double rate = log.events() / ((System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1));
        System.out.printf(Locale.ROOT, "saturation: %,.0f events a second, emitted and verified%n", rate);
        return rate;
    }

    private void play(long number, double rate, TopicControl control, KafkaView view, Replaced other) throws Exception {
        Fault fault = faults.get(random.nextInt(faults.size()));
        control.awaitInSync();
        round(
                view,
                rate,
                () -> {
                    long begin = System.nanoTime();
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(5_000, 15_000));
                    inject(fault, other);
                    long rest = TimeUnit.SECONDS.toNanos(ROUND_SECONDS) - (System.nanoTime() - begin);
                    TimeUnit.NANOSECONDS.sleep(Math.max(0, rest));
                },
                "round " + number + ", " + fault);
    }

    private void inject(Fault fault, Replaced other) throws IOException, InterruptedException {
        int node = random.nextInt(1, BROKERS + 1);
        int downMillis = random.nextInt(MOST_DOWN_MILLIS);
        int pauseMillis = random.nextInt(MOST_PAUSE_MILLIS);
        switch (fault) {
            case BROKER_KILL -> {
                brokers.process(node).kill();
                TimeUnit.MILLISECONDS.sleep(downMillis);
                brokers.start(node);
            }
            case BROKER_PAUSE -> brokers.process(node).pause(pauseMillis);
            case BROKER_ROLL -> {
                brokers.stop(node);
                brokers.start(node);
            }
            case VERIFY_KILL -> {
                other.process.kill();
                TimeUnit.MILLISECONDS.sleep(downMillis);
                other.startAgain();
            }
            case VERIFY_PAUSE -> other.process.pause(pauseMillis);
            case VERIFY_ROLL -> {
                other.close();
                other.startAgain();
            }
        }
    }

    /** What goes on while events flow. */
    private interface Meanwhile {
        void run() throws Exception;
    }

    private RoundLog round(KafkaView view, double rate, Meanwhile meanwhile, String what) throws Exception {
        Map<TopicPartition, Long> begins = view.awaitEnds(WaitLimit.inSeconds(PATIENCE_SECONDS));
        try (Emitters emitters =
                Emitters.start(view.servers(), TOPIC, rate, Conduct.ofMany(PARTITIONS), random.split())) {
            meanwhile.run();
            emitters.end();
            WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
            Map<TopicPartition, Long> ends = view.awaitEnds(limit);
            view.awaitProgress(ends, limit);
            return compared(view, emitters, begins, ends, what);
        }
    }

    private RoundLog compared(
            KafkaView view,
            Emitters emitters,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            String what)
            throws IOException, ExpiredRangeException {
        RoundLog log = RoundLog.read(view.servers(), begins, ends);
        Published alerts = new Published(TOPIC);
        Published verdicts = new Published(TOPIC);
        alertsRead = view.readPublished(ALERTS, alertsRead, alerts);
        verdictsRead = view.readPublished(VERDICTS, verdictsRead, verdicts);
        Comparison comparison = Comparison.of(emitters.injected(), log, alerts, verdicts);
        comparison.complaints().stream().distinct().limit(20).forEach(System.out::println);
        List<String> kept = new ArrayList<>(comparison.complaints());
        log.repetitions().forEach((partition, offsets) -> kept.add("WRITTEN AGAIN in " + partition + " at " + offsets));
        keep(view, begins, ends, kept, what);
        boolean exact = comparison.isExact() && comparison.reported() == comparison.expected();
        good &= exact;
        events += log.events();
        intervals += log.checkpoints().size();
        named += comparison.reported();
        System.out.printf(
                Locale.ROOT,
                "%s%s: %,d events, %,d intervals, %d of %d faults named, %d out of reach, %d sends failed%n",
                exact ? "" : "NOT GOOD ",
                what,
                log.events(),
                log.checkpoints().size(),
                comparison.reported(),
                comparison.expected(),
                comparison.outOfReach().size(),
                emitters.failed());
        return log;
    }

    /** Writes what the log holds of the streams that are complained of beside the brokers' directories. */
    private void keep(
            KafkaView view,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            List<String> complaints,
            String what)
            throws IOException, ExpiredRangeException {
        if (complaints.isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>(complaints);
        lines.addAll(KeptCheckpoints.read(view.servers(), begins, ends, String.join(" ", complaints)));
        Path file = dir.resolve(what.replaceAll("[ ,]+", "-") + ".txt");
        Files.write(file, lines);
        System.out.println("see " + file);
    }
}
