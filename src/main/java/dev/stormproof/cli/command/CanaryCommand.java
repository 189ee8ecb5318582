package dev.stormproof.cli.command;

import dev.stormproof.cli.canary.Planter;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.CanarySession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.Dashboard;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.MetricsAddress;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.Metric;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code canary} plants faults and watches whether they are reported. */
@Command(
        name = "canary",
        description = {
            "Plants a fault a minute in each partition of its own topic, and reports the verifier as "
                    + "blind if the alert does not come in time. Until Ctrl-C.",
            "",
            "The verifier's configuration names the topic as canary.topic. Findings there have types of their own"
                    + " (dev.stormproof.canary.…), and are neither counted nor shown.",
            "",
            "Run it apart from the verifier, on the servers that people read alerts from. It then also "
                    + "notices a paused verifier, one of another cluster, and alerts that cannot be written."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof canary --bootstrap-server localhost:9092 --topic stormproof-canary --listen 0.0.0.0:9407",
            "  stormproof canary --bootstrap-server localhost:9092 --topic stormproof-canary --once",
            "",
            ExitCode.BEGIN + "0 the last planted faults were reported in time, 4 the verifier is blind" + ExitCode.END
        })
public final class CanaryCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic to plant faults in; by default canary.topic of --config, or stormproof-canary.")
    private @Nullable String topic;

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "Where to listen; by default alerts.topic of --config, or stormproof-alerts.")
    private @Nullable String alertsTopic;

    @Option(
            names = "--emitter-config",
            paramLabel = "FILE",
            description = "Properties of the emitter, such as the key that checkpoints are signed with.")
    private @Nullable Path emitterConfig;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "How often to plant a fault in each partition (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds = 60;

    @Option(
            names = "--within",
            paramLabel = "SECONDS",
            description = "How soon each has to be reported (default: ${DEFAULT-VALUE}).")
    private int withinSeconds = 90;

    @Option(
            names = "--once",
            description = "End as soon as a fault of each partition was reported, or the verifier is blind.")
    private boolean once;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The group that metrics name; by default group.id of --config, or stormproof.")
    private @Nullable String group;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to serve metrics, with whether the verifier is blind.")
    private Dashboard.@Nullable Listen metrics;

    @Override
    int run(CloseStack resources) throws Exception {
        if (intervalSeconds < 1 || withinSeconds < 1) {
            throw Failure.usage("--interval and --within are at least 1 s");
        }
        Connection connection = resources.open(server::connect);
        Map<String, String> properties = connection.clientProperties();
        String canary = Objects.requireNonNullElse(
                topic, properties.getOrDefault(InputSettings.CANARY_TOPIC, "stormproof-canary"));
        String alerts = connection.alertsTopic(alertsTopic);
        String named =
                Objects.requireNonNullElse(group, properties.getOrDefault(StormproofConfig.GROUP_ID, "stormproof"));
        WorkerMetrics numbers = WorkerMetrics.ofThisProcess();
        Optional<MetricsAddress> served =
                Optional.ofNullable(metrics).map(at -> new MetricsAddress(at.host(), at.port(), at.port(), Set.of()));
        try (TaskMetrics ofCanary = numbers.task(served, named);
                CanarySession session = new CanarySession(
                        new Planter(producer(properties), canary),
                        () -> connection.partitions(canary),
                        TimeUnit.SECONDS.toMillis(intervalSeconds),
                        TimeUnit.SECONDS.toMillis(withinSeconds),
                        err());
                // Listens before the first fault is planted.
                FindingFeed feed = new FindingFeed(properties, connection.partitions(alerts), false)) {
            numbers.show(
                    Metric.CANARY_BLIND,
                    () -> Map.of(List.of(named), session.blind().isPresent() ? 1.0 : 0.0));
            numbers.show(Metric.CANARY_AGE, () -> Map.of(List.of(named), session.sinceReportedSeconds()));
            err().println("stormproof: planting a fault each " + intervalSeconds + " s in topic " + canary
                    + "; each is to be reported in topic " + alerts + " within " + withinSeconds + " s");
            session.run(feed, () -> {
                ofCanary.tick();
                return resources.isEnding()
                        || (once
                                && (session.isEachPartitionReported()
                                        || session.blind().isPresent()));
            });
            Optional<String> blind = session.blind();
            out().println(blind.map(why -> "BLIND: " + why)
                    .orElseGet(() -> "not blind: " + session.reported() + " planted faults were reported"));
            return blind.isPresent() ? ExitCode.BLIND : ExitCode.VERIFIED;
        }
    }

    private Map<String, Object> producer(Map<String, String> properties) {
        Map<String, Object> producer = new HashMap<>();
        properties.forEach((key, value) -> {
            if (ProducerConfig.configNames().contains(key) && !key.equals(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
                producer.put(key, value);
            }
        });
        if (emitterConfig != null) {
            producer.putAll(Connection.load(emitterConfig));
        }
        return producer;
    }
}
