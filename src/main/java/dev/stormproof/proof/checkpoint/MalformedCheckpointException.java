package dev.stormproof.proof.checkpoint;

/**
 * Thrown if bytes are no checkpoint, or no event header, that this program accepts.
 *
 * <p>The message has the byte position, the value there and the expected one.
 */
public final class MalformedCheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The word for the end of the bytes within a field. */
    static final String END = "the end";

    /** Why the bytes are refused. */
    public enum Reason {
        /** They violate the format: damaged, cut off, or written by a faulty program. */
        DAMAGED,
        /** They are intact, but of an unknown version or algorithm. */
        UNSUPPORTED,
        /** They are not signed by a trusted key, although that is required. */
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

    /** The same fault in bytes with a wrong checksum, which no newer program would read either. */
    MalformedCheckpointException asDamaged() {
        return new MalformedCheckpointException(Reason.DAMAGED, this);
    }

    public Reason reason() {
        return reason;
    }

    public boolean unsupported() {
        return reason == Reason.UNSUPPORTED;
    }

    /** The position of the first wrong byte, from 0; the number of bytes if they end too early. */
    public int position() {
        return position;
    }

    /** The name of the faulty field. */
    public String field() {
        return field;
    }

    public boolean cutOff() {
        return cutOff;
    }
}
