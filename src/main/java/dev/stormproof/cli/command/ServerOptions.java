package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name an existing Kafka are those of Kafka's own tools. */
final class ServerOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:STORMPROOF_BOOTSTRAP_SERVERS}",
            description = "The Kafka brokers to begin with, separated by commas (else $STORMPROOF_BOOTSTRAP_SERVERS).")
    private @Nullable String
            bootstrapServer; // Demanded below: picocli would demand it of 'alerts' before 'alerts find', too.

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties, as for Kafka's own tools: TLS, SASL and the like.")
    private @Nullable Path commandConfig;

    Connection connect() {
        if (bootstrapServer == null) {
            throw Failure.usage("Missing required option: '--bootstrap-server=HOST:PORT'");
        }
        return Connection.open(bootstrapServer, commandConfig);
    }
}
