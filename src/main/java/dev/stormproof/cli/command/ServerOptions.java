package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.NextCommands;
import dev.stormproof.task.config.StormproofConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name an existing Kafka are those of Kafka's own tools. */
final class ServerOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:STORMPROOF_BOOTSTRAP_SERVERS}",
            description =
                    "The Kafka brokers to begin with, separated by commas (else $STORMPROOF_BOOTSTRAP_SERVERS, else those of --config).")
    private @Nullable String
            bootstrapServer; // Demanded below: picocli would demand it of 'alerts' before 'alerts find', too.

    @Mixin
    private Settings settings = new Settings();

    /** The options as they were given, for a command that is to reach the same cluster. */
    String text() {
        String servers = bootstrapServer == null ? "" : "--bootstrap-server " + NextCommands.quoted(bootstrapServer);
        return (servers + settings.text()).strip();
    }

    /** Refuses options that name no cluster, before anything is opened. */
    void check() {
        var unused = servers(settings.read());
    }

    Connection connect() {
        Map<String, String> properties = settings.read();
        return Connection.open("--bootstrap-server", servers(properties), settings.option(), properties);
    }

    private String servers(Map<String, String> properties) {
        String servers = bootstrapServer == null ? properties.get(StormproofConfig.BOOTSTRAP_SERVERS) : bootstrapServer;
        if (servers == null) {
            throw Failure.usage(
                    "Missing required option: '--bootstrap-server=HOST:PORT', or bootstrap.servers in the file of --config");
        }
        return servers;
    }
}
