package dev.stormproof.proof.sign;

/** A signature algorithm that reads key and value where they are. */
public interface InPlaceSigner extends EventSigner {
    /** Writes the signature of an event to {@code out}, {@link #sizeBytes()} from the beginning on. */
    void sign(ByteSlice key, ByteSlice value, byte[] out);
}
