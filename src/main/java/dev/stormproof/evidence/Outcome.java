package dev.stormproof.evidence;

import java.util.Locale;
import java.util.stream.Stream;

/** A verifier's verdict, in one word. */
public enum Outcome {
    VERIFIED,
    VIOLATED,
    INCONCLUSIVE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Outcome read(ProofReader.Line line) throws RefusedProofException {
        return Stream.of(values())
                .filter(outcome -> outcome.word().equals(line.value()))
                .findFirst()
                .orElseThrow(() -> line.refused("it is none of verified, violated, inconclusive"));
    }
}
