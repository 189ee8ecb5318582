package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.NotesSource;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a notary's notes. */
final class NotesOptions {
    @Option(names = "--notes", paramLabel = "TOPIC", required = true, description = "The topic of the notes.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String notes;

    @Option(
            names = "--tiles",
            paramLabel = "TOPIC",
            description = "The topic of the hashes of single records, in the same cluster as the notes.")
    private @Nullable String tiles;

    @Option(
            names = "--notary-key",
            paramLabel = "ID:BASE64",
            required = true,
            description = "The notary's public key, as 'key create' printed it, from a source that you trust.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String notaryKey;

    @Option(
            names = "--notes-bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "The Kafka brokers that have the notes, if others.")
    private @Nullable String notesServer;

    @Option(names = "--notes-command-config", paramLabel = "FILE", description = "Client properties for these.")
    private @Nullable Path notesConfig;

    /** The notes, in the cluster that is connected or in their own. */
    NotesSource open(Connection connection, CloseStack resources) throws Exception {
        NotesSource.Request request = NotesSource.Request.of(notes, tiles, notaryKey);
        String server = notesServer;
        Connection at = server == null
                ? connection
                : resources.open(() -> Connection.open(
                        "--notes-bootstrap-server",
                        server,
                        "--notes-command-config",
                        notesConfig == null
                                ? Map.of()
                                : Settings.clientProperties("--notes-command-config", "--config", notesConfig)));
        return resources.open(() -> new NotesSource(at, request));
    }
}
