package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.Dashboard;
import dev.stormproof.cli.session.TargetsSession;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.local.CloseStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code targets} tells Prometheus where the workers of a topology serve their metrics. */
@Command(
        name = "targets",
        description = {
            "Prints where the workers of a topology, or the replicas of 'verify', serve their metrics: JSON, as Prometheus reads it"
                    + " from a file. With --listen it serves the same as /targets, for http_sd_configs, until Ctrl-C.",
            "",
            "A worker with metrics.http.port is a member of the group that is called group.id and '-metrics'. The list names"
                    + " those that Kafka counts as members now: a dead one is gone within 10 s. If Kafka does not answer for 20 s,"
                    + " the answer is 503, on which Prometheus keeps the targets that it has.",
            "",
            "A worker that serves at every address is listed with the one at which the broker sees it."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof targets --bootstrap-server localhost:9092 --group stormproof",
            "  stormproof targets --bootstrap-server localhost:9092 --group orders --group payments --listen 0.0.0.0:9405",
            "",
            ExitCode.HELP
        })
public final class TargetsCommand extends Subcommand {
    private static final long EVERY_MILLIS = 2_000;
    private static final long TICK_MILLIS = 100;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The group.id of the topology; may be repeated. By default that of --command-config, or"
                    + " stormproof.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Serve the list there, as /targets; port 0 takes a free one.")
    private Dashboard.@Nullable Listen listen;

    @Override
    int run(CloseStack resources) throws Exception {
        Connection connection = resources.open(server::connect);
        List<String> named = groups.isEmpty()
                ? List.of(connection.clientProperties().getOrDefault(StormproofConfig.GROUP_ID, "stormproof"))
                : groups;
        TargetsSession session = resources.open(() -> new TargetsSession(connection, named));
        if (listen == null) {
            out().println(session.read());
            return ExitCode.VERIFIED;
        }
        session.refresh(err());
        var address = session.serve(listen);
        out().println("the targets are at http://" + listen.host() + ":" + address.getPort()
                + "/targets ; Ctrl-C ends it");
        long readNanos = System.nanoTime();
        while (!resources.isEnding()) {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            if (System.nanoTime() - readNanos >= TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS)) {
                session.refresh(err());
                readNanos = System.nanoTime();
            }
        }
        return ExitCode.VERIFIED;
    }
}
