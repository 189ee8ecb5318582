package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    void write(byte[] proof) {
        try {
            Files.write(output, proof);
        } catch (IOException e) {
            throw Failure.usage("--output " + output + " cannot be written: " + e, e);
        }
    }

    @Override
    public String toString() {
        return output.toString();
    }
}
