package dev.stormproof.bench;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.metricstore.NoOpMetricStore;

/**
 * How late faults are reported and events come out, as the offered rate rises step by step to saturation; then, once all that is late has come,
 * at half of the greatest rate that was kept up with.
 *
 * <pre>
 *   this JVM     {@link OfferedLoad}: events and checkpoints, one interval of some with an altered event ──► input
 *                {@link Arrivals}: alerts, and events of the output, as committed readers get them
 *   child JVMs   broker; topology in a LocalCluster, one task of each component, as within one worker
 * </pre>
 *
 * <p>Detection delay: from the time at which the broker appended an interval's checkpoint to that at which a consumer has the first
 * alert of it. Latency: from the time at which an event was due to be sent to that at which a consumer of the output has it, so that a
 * stall counts for every event that it delays. All clocks are this machine's.
 */
public final class Ramp {
    private static final String INPUT = "ramp";
    private static final String OUTPUT = "ramp-out";
    private static final String ALERTS = "ramp-alerts";
    private static final int PARTITIONS = 4;
    private static final int FIRST_RATE = 5_000;
    private static final double STEP = 1.5;
    private static final int MOST_STEPS = 14;
    private static final int SETTLE_SECONDS = 5;
    /** Less than this share of what was offered came out in time: saturated. */
    private static final double KEPT_UP = 0.95;

    private static final double HIGHEST_LATENCY_MILLIS = 2_000;

    private final String servers;
    private final int seconds;
    private final int faultEvery;

    private Ramp(String servers, int seconds, int faultEvery) {
        this.faultEvery = faultEvery;
        this.servers = servers;
        this.seconds = seconds;
    }

    /** Takes the seconds of a step, the placement of the tracker, and one interval of how many has a fault; a child takes the topology's configuration. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].contains("=")) {
            runTopology(arguments);
            return;
        }
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        String placement = arguments.length > 1 ? arguments[1] : "source";
        int faultEvery = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2;
        try (ChildBroker broker = ChildBroker.start()) {
            new Ramp(broker.servers(), seconds, faultEvery).run(placement);
        }
        System.exit(0);
    }

    private void run(String placement) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Map<String, String> appendTime = Map.of("message.timestamp.type", "LogAppendTime");
            admin.createTopics(List.of(
                            new NewTopic(INPUT, PARTITIONS, (short) 1).configs(appendTime),
                            new NewTopic(OUTPUT, PARTITIONS, (short) 1),
                            new NewTopic(ALERTS, 1, (short) 1)))
                    .all()
                    .get();
        }
        Process topology = start(placement);
        RampTable table = new RampTable("ramp-" + placement + (faultEvery == 1 ? "-all-violated" : ""));
        try (OfferedLoad load = new OfferedLoad(servers, INPUT, PARTITIONS, faultEvery);
                Arrivals arrivals = new Arrivals(servers, OUTPUT, PARTITIONS, ALERTS, load)) {
            load.offer(FIRST_RATE, 1);
            load.seal();
            arrivals.awaitAll();
            load.offer(FIRST_RATE, 2 * SETTLE_SECONDS);
            double keptUp = 0;
            double rate = FIRST_RATE;
            for (int step = 0; step < MOST_STEPS; step++) {
                RampTable.Row row = measure(load, arrivals, rate, seconds);
                table.add(row);
                if (row.kept() < KEPT_UP || row.latency().getValueAtPercentile(50) > HIGHEST_LATENCY_MILLIS) {
                    break;
                }
                keptUp = rate;
                rate *= STEP;
            }
            long endedNanos = System.nanoTime();
            load.seal();
            arrivals.awaitAll();
            table.addRecovery(Duration.ofNanos(System.nanoTime() - endedNanos));
            table.addAtHalf(measure(load, arrivals, keptUp / 2, 3 * seconds));
        } finally {
            topology.destroyForcibly().onExit().join();
        }
        table.write();
    }

    private static RampTable.Row measure(OfferedLoad load, Arrivals arrivals, double rate, int seconds)
            throws Exception {
        load.offer(rate, SETTLE_SECONDS);
        arrivals.restart();
        long before = arrivals.events();
        long beganNanos = System.nanoTime();
        load.offer(rate, seconds);
        double tookSeconds = (System.nanoTime() - beganNanos) / 1e9;
        double cameOut = (arrivals.events() - before) / tookSeconds;
        Histogram latency = arrivals.latency();
        Histogram detection = arrivals.detection();
        return new RampTable.Row(rate, cameOut, latency, detection);
    }

    private Process start(String placement) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                Ramp.class.getName(),
                "bootstrap.servers=" + servers,
                "group.id=ramp",
                "input.topics=" + INPUT,
                "output.topic=" + OUTPUT,
                "alerts.topic=" + ALERTS,
                "flush.interval.ms=100",
                "tracker.placement=" + placement));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @SuppressWarnings("try") // Nobody interrupts it.
    private static void runTopology(String[] settings) throws Exception {
        Map<String, String> map = new HashMap<>();
        for (String setting : settings) {
            int at = setting.indexOf('=');
            map.put(setting.substring(0, at), setting.substring(at + 1));
        }
        StormproofConfig config = new StormproofConfig(map);
        try (LocalCluster cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(1)
                .withDaemonConf(Map.of(
                        Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS,
                        true,
                        DaemonConfig.STORM_METRIC_STORE_CLASS,
                        NoOpMetricStore.class.getName()))
                .build()) {
            cluster.submitTopology(
                    "ramp", VerificationTopology.stormConfig(config), VerificationTopology.build(config));
            new CountDownLatch(1).await();
        }
    }
}
