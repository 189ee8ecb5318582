package dev.stormproof.cli.session;

import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.OversizedProofException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The outcome of a request for a proof.
 *
 * @param exitCode the verdict on what it is of
 * @param reason why there is none; empty if there is one
 */
public record ProofWriter(int exitCode, String reason) {
    /**
     * Builds a proof and delivers it. A proof above the size limit is not built; its events stay unproven.
     *
     * @param remedy how to get a smaller one
     */
    static ProofWriter of(int verdict, String remedy, Supplier<byte[]> proof, Consumer<byte[]> file) {
        byte[] bytes;
        try {
            bytes = proof.get();
        } catch (OversizedProofException e) {
            int exitCode = verdict == ExitCode.VERIFIED ? ExitCode.INCONCLUSIVE : verdict;
            return new ProofWriter(exitCode, e.getMessage() + "; " + remedy);
        }
        file.accept(bytes);
        return new ProofWriter(verdict, "");
    }
}
