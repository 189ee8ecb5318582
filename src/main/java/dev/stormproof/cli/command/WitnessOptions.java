package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Witnessing;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name witnesses of notes. */
final class WitnessOptions {
    @Option(
            names = "--witness-key",
            paramLabel = "VKEY",
            description =
                    "The public key of a witness whose cosignatures are believed, as name+id+base64. May be repeated.")
    private List<String> keys = List.of();

    @Option(
            names = "--witnesses",
            paramLabel = "N",
            description = "How many of these witnesses must have cosigned a note; by default, all of them.")
    private @Nullable Integer count;

    Witnessing open() {
        return Witnessing.of(keys, count);
    }
}
