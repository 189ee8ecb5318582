package dev.stormproof.cli.command;

import dev.stormproof.cli.session.NotaryProofs;
import dev.stormproof.cli.session.NotesSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ResultJson;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tiles} hands out the tiles of a notary's trees. */
@Command(
        name = "tiles",
        description = "Hands out the tiles of a notary's trees.",
        subcommands = TilesCommand.Export.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof tiles export --bootstrap-server localhost:9092 --topic orders --partition 2 --notes notes --tiles tiles --notary-key notary-1:MCow… --dir orders-2"
        })
public final class TilesCommand {
    @Command(
            name = "export",
            description = {
                "Writes the tree of a partition's last note as static files of c2sp.org/tlog-tiles, with its checkpoint: other "
                        + "people's tools read them, from a web server or a directory. Files of this tree that are there are kept; those of another tree are refused."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof tiles export --bootstrap-server localhost:9092 --topic orders --partition 2 --notes notes --tiles tiles --notary-key notary-1:MCow… --dir orders-2"
            })
    static final class Export extends NotaryCommand.OfPartition {
        @Option(names = "--dir", paramLabel = "DIR", required = true, description = "The directory to write to.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Path dir;

        @Override
        int run(NotaryProofs proofs, NotesSource source) {
            try {
                int written = proofs.export(dir);
                long note = proofs.last().state().number();
                String origin = proofs.last().origin().text();
                tell(
                        ResultJson.exported(dir.toString(), written, note, origin),
                        written + " files written to " + dir + ", the tree of note " + note + " on " + origin);
            } catch (IOException e) {
                throw Failure.usage("--dir " + dir + " cannot be written: " + e, e);
            }
            return ExitCode.VERIFIED;
        }
    }
}
