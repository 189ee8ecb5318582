package dev.stormproof.evidence;

/** A proof that is not made because no checker would read it; the message names the bound that it exceeds. */
public final class OversizedProofException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OversizedProofException(String bound) {
        super("it would have " + bound + ", which no checker reads");
    }
}
