package dev.stormproof.cli;

import dev.stormproof.submit.RefusedException;
import org.jspecify.annotations.Nullable;

/** A failure ends a command: its message is the one line to print, and it has the exit code that goes with it. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private Failure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The user asked for what cannot be; the message says what to do. */
    static Failure usage(String message) {
        return new Failure(ExitCode.USAGE, message, null);
    }

    static Failure usage(String message, Throwable cause) {
        return new Failure(ExitCode.USAGE, message, cause);
    }

    /** The input is damaged. */
    static Failure damaged(String message, Throwable cause) {
        return new Failure(ExitCode.DAMAGED, message, cause);
    }

    /** We failed, or what we need did; the message says what to do. */
    static Failure own(String message) {
        return new Failure(ExitCode.FAILED, message, null);
    }

    static Failure own(String message, Throwable cause) {
        return new Failure(ExitCode.FAILED, message, cause);
    }

    /** The topology refuses to start. */
    static Failure refused(RefusedException e) {
        return new Failure(e.exitCode(), String.valueOf(e.getMessage()), e);
    }

    int exitCode() {
        return exitCode;
    }
}
