package dev.stormproof.evidence.notary;

/** A note, a proof or a state is not what its specification says; the message names the place. */
public final class MalformedNoteException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedNoteException(String message) {
        super(message);
    }
}
