package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.Dashboard;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.config.MetricsAddress;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.forward.Forwarding;
import dev.stormproof.local.CloseStack;
import dev.stormproof.submit.Failure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code forward} hands alerts to a webhook or an Alertmanager. */
@Command(
        name = "forward",
        description = {
            "Forwards the alerts of a topic to a webhook or an Alertmanager, until Ctrl-C.",
            "",
            "Each change of an alert is sent at least once: the group's offsets are committed behind the receiver's answer of"
                    + " 200 to 299. Who begins again after a crash may send one request once more. A revision that was told"
                    + " is not sent again; a later one of the same alertId replaces it.",
            "",
            "A webhook gets each change as a CloudEvent in JSON. In an Alertmanager an alert fires until it is settled or"
                    + " accepted. Several processes of one group share the topic's partitions."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof forward --bootstrap-server localhost:9092 --webhook https://hooks.example.org/stormproof",
            "  stormproof forward --bootstrap-server localhost:9092 --alertmanager http://alertmanager:9093 --metrics 0.0.0.0:9406",
            "",
            ExitCode.HELP
        })
public final class ForwardCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Receiver receiver;

    /** The two receivers, of which picocli demands one. */
    private static final class Receiver {
        @Option(names = "--webhook", paramLabel = "URL", description = "Where to POST each alert.")
        private @Nullable URI webhook;

        @Option(
                names = "--alertmanager",
                paramLabel = "URL",
                description = "An Alertmanager, without the path of its API.")
        private @Nullable URI alertmanager;
    }

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The alerts topic; by default alerts.topic of --command-config, or stormproof-alerts.")
    private @Nullable String topic;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The group whose offsets say what was forwarded (default: ${DEFAULT-VALUE}).")
    private String group = "stormproof-forward";

    @Option(
            names = "--from-beginning",
            description = "A group that is new begins with what is there already; else with what comes from now on."
                    + " An Alertmanager hears of all that is open in both cases.")
    private boolean fromBeginning;

    @Option(
            names = "--http-headers",
            paramLabel = "FILE",
            description = "Properties that are sent as headers of each request, such as Authorization.")
    private @Nullable Path headers;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 10;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description =
                    "How often to send an alert in all, with pauses of 1 s that double up to 60 s, until the command ends"
                            + " with exit code 70; 0 is without end (default: ${DEFAULT-VALUE}).")
    private int attempts = 30;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            description = "Serve metrics there: how many alerts are open, and for how long the receiver fails.")
    private Dashboard.@Nullable Listen metrics;

    @Override
    int run(CloseStack resources) throws Exception {
        if (timeoutSeconds < 1 || attempts < 0) {
            throw Failure.usage("--timeout is at least 1 s, and --attempts at least 0");
        }
        Connection connection = resources.open(server::connect);
        Map<String, String> properties = connection.clientProperties();
        String alerts = Objects.requireNonNullElse(
                topic, properties.getOrDefault(StormproofConfig.ALERTS_TOPIC, "stormproof-alerts"));
        connection.partitionsOf(alerts);
        Forwarding.To to = to();
        err().println("stormproof: forwarding the alerts of topic " + alerts + " to " + to.address() + " as group "
                + group);
        try {
            Forwarding.run(
                    new Forwarding.From(properties, alerts, group, fromBeginning),
                    to,
                    Optional.ofNullable(metrics)
                            .map(at -> new MetricsAddress(at.host(), at.port(), at.port(), Set.of())),
                    resources::isEnding,
                    trouble -> err().println("stormproof: " + trouble));
        } catch (IOException e) {
            throw Failure.own(e.getMessage() + "; what was not taken is sent by the next start", e);
        }
        return ExitCode.VERIFIED;
    }

    private Forwarding.To to() {
        URI address = Objects.requireNonNull(receiver.webhook == null ? receiver.alertmanager : receiver.webhook);
        if (address.getHost() == null || !Set.of("http", "https").contains(address.getScheme())) {
            throw Failure.usage(address + " is no address of a receiver: write http:// or https://, and a host");
        }
        return new Forwarding.To(
                receiver.webhook == null ? Forwarding.Kind.ALERTMANAGER : Forwarding.Kind.WEBHOOK,
                address,
                headers == null ? Map.of() : Connection.load(headers),
                Duration.ofSeconds(timeoutSeconds),
                attempts);
    }
}
