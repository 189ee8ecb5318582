package dev.stormproof.proof.checkpoint;

/**
 * Bytes that are no checkpoint, or no event header, that this program accepts.
 *
 * <p>The message names the byte position, what was found there and what should have been.
 */
public final class MalformedCheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What was found where the bytes end within a field. */
    static final String END = "the end";

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
    private final String field;
    private final boolean cutOff;

    public MalformedCheckpointException(Reason reason, int position, String field, String got, String want) {
        super("at byte " + position + ", " + field + ": got " + got + ", want " + want);
        this.reason = reason;
        this.position = position;
        this.field = field;
        this.cutOff = got.startsWith(END);
    }

    private MalformedCheckpointException(Reason reason, MalformedCheckpointException cause) {
        super(cause.getMessage(), cause);
        this.reason = reason;
        this.position = cause.position;
        this.field = cause.field;
        this.cutOff = cause.cutOff;
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
        return new MalformedCheckpointException(Reason.DAMAGED, this);
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

    /** The field that is wrong, as the message calls it. */
    public String field() {
        return field;
    }

    /** True if the bytes end within the field. */
    public boolean cutOff() {
        return cutOff;
    }
}
