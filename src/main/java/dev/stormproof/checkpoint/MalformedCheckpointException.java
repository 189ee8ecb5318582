package dev.stormproof.checkpoint;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that are no checkpoint, or no event header, that this program accepts.
 *
 * <p>The message names the byte position, what was found there and what should have been.
 */
public final class MalformedCheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why the bytes are refused. */
    public enum Reason {
        /** They break the format: damaged, cut off, or written by a faulty program. */
        DAMAGED,
        /** They are intact, of a version or with an algorithm that this program does not know. */
        UNSUPPORTED,
        /** They are not signed by an accepted key, although that is demanded. */
        UNTRUSTED
    }

    private final Reason reason;
    private final int position;

    public MalformedCheckpointException(Reason reason, int position, String field, String got, String want) {
        this(reason, position, "at byte " + position + ", " + field + ": got " + got + ", want " + want, null);
    }

    private MalformedCheckpointException(Reason reason, int position, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.position = position;
    }

    static MalformedCheckpointException damaged(int position, String field, String got, String want) {
        return new MalformedCheckpointException(Reason.DAMAGED, position, field, got, want);
    }

    static MalformedCheckpointException unsupported(int position, String field, String got, String want) {
        return new MalformedCheckpointException(Reason.UNSUPPORTED, position, field, got, want);
    }

    static MalformedCheckpointException untrusted(int position, String field, String got, String want) {
        return new MalformedCheckpointException(Reason.UNTRUSTED, position, field, got, want);
    }

    /** The same fault of bytes whose checksum does not fit, so that no newer program would read them either. */
    MalformedCheckpointException asDamaged() {
        return new MalformedCheckpointException(Reason.DAMAGED, position, String.valueOf(getMessage()), this);
    }

    public Reason reason() {
        return reason;
    }

    /** True if a newer program might read the bytes. */
    public boolean unsupported() {
        return reason == Reason.UNSUPPORTED;
    }

    /** The first byte that is wrong, from 0; the size of the bytes if they end too early. */
    public int position() {
        return position;
    }
}
