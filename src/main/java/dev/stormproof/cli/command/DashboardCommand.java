package dev.stormproof.cli.command;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertsRecord;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.Dashboard;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dashboard} shows what a verifier finds. */
@Command(
        name = "dashboard",
        description = {
            "Serves a page that shows findings as they come: a row for each partition, a cell for each "
                    + "interval, and the expected against the actual order of a violated one. Until Ctrl-C.",
            "",
            "It reads the alerts topic, the verdicts topic and the group's offsets, and writes nothing. "
                    + "With verdicts.topic=none it shows no proven intervals. By default only this machine can "
                    + "open the page; with another --listen, visitors need the token in the printed address.",
            "",
            "--config may be the verifier's configuration; then its topics and group are shown."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof dashboard --bootstrap-server localhost:9092",
            "  stormproof dashboard --bootstrap-server localhost:9092 --config verify.properties --listen 0.0.0.0:8090"
        })
public final class DashboardCommand extends Subcommand {
    /** How much of each partition is read to begin with. */
    private static final long HISTORY = 20_000;

    private static final Duration POLL = Duration.ofMillis(200);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The alerts topic; by default alerts.topic of --config, or stormproof-alerts.")
    private @Nullable String alertsTopic;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The group of the topology to show first; by default, the first that the findings name.")
    private @Nullable String group;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to serve the page; port 0 is any free one (default: ${DEFAULT-VALUE}).")
    private Dashboard.Listen listen = new Dashboard.Listen("127.0.0.1", 8090);

    @Option(
            names = "--show-content",
            description = "Show key, headers, time and the first 2 KB of the value of records at an opened finding's "
                    + "first 20 places. Everyone who can open the page can read them; by default, no content is read.")
    private boolean showContent;

    @Override
    int run(CloseStack resources) throws Exception {
        Connection connection = resources.open(server::connect);
        Map<String, String> settings = connection.clientProperties();
        String alerts = connection.alertsTopic(alertsTopic);
        List<TopicPartition> partitions = new ArrayList<>(connection.partitions(alerts));
        Optional<String> verdicts =
                AlertSettings.verdictsTopic(alerts, settings.getOrDefault(AlertSettings.VERDICTS_TOPIC, ""));
        boolean expected = verdicts.isPresent() && !connection.hasTopic(verdicts.get());
        if (verdicts.isPresent() && !expected) {
            partitions.addAll(connection.partitions(verdicts.get()));
        }
        String about = "Alerts of " + alerts
                + verdicts.map(topic -> expected
                                ? ", and verdicts as soon as there is a topic " + topic
                                : " and verdicts of " + topic)
                        .orElse("");
        String ofGroup = group == null ? settings.get(StormproofConfig.GROUP_ID) : group;
        Dashboard dashboard = resources.open(() -> Dashboard.start(listen, connection, ofGroup, about, showContent));
        if (settings.containsKey(InputSettings.CANARY_TOPIC)) {
            dashboard.expectCanary();
        }
        out().println("the dashboard is at " + dashboard.uri() + " ; Ctrl-C ends it");
        // Closed by this thread alone, since a consumer refuses any other: the hook only sets isEnding.
        try (FindingFeed feed = new FindingFeed(connection.clientProperties(), partitions, HISTORY)) {
            verdicts.ifPresent(feed::expect);
            while (!resources.isEnding()) {
                feed.poll(POLL).forEach(record -> take(record, feed.isNew(record), dashboard));
                dashboard.tick();
            }
        }
        return ExitCode.VERIFIED;
    }

    private void take(ConsumerRecord<byte[], byte[]> record, boolean isNew, Dashboard dashboard) {
        try {
            AlertsRecord reported = FindingFeed.reported(record);
            if (reported instanceof Alert alert) {
                dashboard.take(alert, record.value(), isNew);
            } else if (reported instanceof Acceptance acceptance) {
                dashboard.take(acceptance);
            }
        } catch (IOException e) {
            err().println("stormproof: " + e.getMessage());
        }
    }
}
