package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name an existing Kafka are those of Kafka's own tools. */
final class ServerOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            required = true,
            defaultValue = "${env:STORMPROOF_BOOTSTRAP_SERVERS}",
            description = "The Kafka brokers to begin with, separated by commas (else $STORMPROOF_BOOTSTRAP_SERVERS).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties, as for Kafka's own tools: TLS, SASL and the like.")
    private @Nullable Path commandConfig;

    Connection connect() {
        return Connection.open(bootstrapServer, commandConfig);
    }
}
