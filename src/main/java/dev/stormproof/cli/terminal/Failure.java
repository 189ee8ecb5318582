package dev.stormproof.cli.terminal;

import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** A failure ends a command: its message is the one line to print, and it has the exit code that goes with it. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public static final int USAGE = 64;
    public static final int DAMAGED = 65;
    public static final int FAILED = 70;

    private final int exitCode;

    private Failure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The user asked for what cannot be; the message says what to do. */
    public static Failure usage(String message) {
        return usage(message, null);
    }

    public static Failure usage(String message, @Nullable Throwable cause) {
        return new Failure(USAGE, message, cause);
    }

    public static Failure damaged(String message, @Nullable Throwable cause) {
        return new Failure(DAMAGED, message, cause);
    }

    /** We failed, or something that we need did; the message says what to do. */
    public static Failure own(String message) {
        return own(message, null);
    }

    public static Failure own(String message, @Nullable Throwable cause) {
        return new Failure(FAILED, message, cause);
    }

    /** A fault that was not thought of. */
    public static Failure unexpected(Throwable cause) {
        return own("unexpected " + cause.getClass().getSimpleName() + ": " + oneLine(cause), cause);
    }

    /** Makes something of the user's settings; a {@link ConfigException} becomes wrong usage, its message prefixed. */
    public static <T> T configured(String prefix, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (ConfigException e) {
            throw usage(prefix + e.getMessage(), e);
        }
    }

    /** Why no Kafka client can be made: the innermost reason that Kafka gives, or the file that is not there. */
    public static String ofClient(KafkaException e) {
        Throwable reason = e;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoSuchFileException) {
                return "there is no file " + cause.getMessage();
            }
            reason = cause instanceof KafkaException ? cause : reason;
        }
        return oneLine(reason);
    }

    public static String oneLine(Throwable e) {
        String message = e.getMessage();
        return message == null ? "no details" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    public int exitCode() {
        return exitCode;
    }
}
