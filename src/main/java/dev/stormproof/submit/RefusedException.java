package dev.stormproof.submit;

import org.jspecify.annotations.Nullable;

/** The refusal to start a topology, with the reason in one line. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private RefusedException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** What was asked for cannot be; the message says what to change. */
    static RefusedException usage(String message, @Nullable Throwable cause) {
        return new RefusedException(64, message, cause);
    }

    /** Something that is needed is not there, or does not work. */
    static RefusedException failure(String message, @Nullable Throwable cause) {
        return new RefusedException(70, message, cause);
    }

    /** What a process should exit with: 64 if the call was wrong, 70 if something failed. */
    public int exitCode() {
        return exitCode;
    }
}
