package dev.stormproof.proof.sign;

import dev.stormproof.proof.tree.Xxh3Digest;

/**
 * The signature of a record's content against accidents: XXH3 of 128 bits over key and value. An attacker can find another
 * content of the same signature.
 *
 * <p>An instance belongs to one thread.
 */
public final class Xxh3Signer extends KeyValueSigner {
    private final Xxh3Digest digest = new Xxh3Digest();

    public Xxh3Signer() {
        super(EventSigners.XXH3_KEY_VALUE, Xxh3Digest.SIZE_BYTES);
    }

    @Override
    void update(byte[] array, int begin, int sizeBytes) {
        digest.update(array, begin, sizeBytes);
    }

    @Override
    void digestTo(byte[] last, int sizeBytes, byte[] out, int outBegin) {
        digest.digest(last, sizeBytes, out, outBegin);
    }
}
