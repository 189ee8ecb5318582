package dev.stormproof.timestamp;

/** Says why a time stamp shows nothing. */
public final class RefusedTimeStampException extends Exception {
    private static final long serialVersionUID = 1;

    public RefusedTimeStampException(String reason) {
        super(reason);
    }
}
