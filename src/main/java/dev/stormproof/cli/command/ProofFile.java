package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option that names the file of a proof. */
final class ProofFile {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            required = true,
            description = "The file to write the proof to.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path output;

    private int sizeBytes;

    void write(byte[] proof) {
        try {
            Files.write(output, proof);
            sizeBytes = proof.length;
        } catch (IOException e) {
            throw Failure.usage("--output " + output + " cannot be written: " + e, e);
        }
    }

    /** The file and its size: a receipt has the signature of each event of its interval. */
    String described() {
        return String.format(Locale.ROOT, "%s (%,d bytes)", output, sizeBytes);
    }

    @Override
    public String toString() {
        return output.toString();
    }
}
