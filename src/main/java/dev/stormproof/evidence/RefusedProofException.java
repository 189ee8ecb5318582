package dev.stormproof.evidence;

/** A refused proof; the message names the line and the reason. */
public final class RefusedProofException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;

    RefusedProofException(int line, String name, String reason) {
        super("line " + line + (name.isEmpty() ? "" : " (" + name + ")") + ": " + reason);
        this.line = line;
    }

    /** The first line that is known to be wrong, from 1. */
    public int line() {
        return line;
    }
}
