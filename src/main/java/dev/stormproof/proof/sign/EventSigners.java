package dev.stormproof.proof.sign;

import dev.stormproof.proof.tree.Xxh3Digest;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

public final class EventSigners {
    /** The id of format 1's signature, SHA-1 over the value, 20 bytes. Format 2 does not allow it. */
    public static final int SHA1 = 2;

    /** The id of SHA-256 over key and value, 32 bytes: against tampering. */
    public static final int SHA256_KEY_VALUE = 3;

    /** The id of XXH3 of 128 bits over key and value, 16 bytes: against accidents. */
    public static final int XXH3_KEY_VALUE = 4;

    /** The first id of an application's own signatures; the last is 255. */
    public static final int FIRST_SUPPLIED = 128;

    public static final int MAX_SIZE_BYTES = 255;

    private EventSigners() {}

    public static InPlaceSigner sha1() {
        return new Sha1();
    }

    /** A new signer; empty for an application's id, or an unknown one. */
    public static Optional<EventSigner> ofId(int id) {
        return switch (id) {
            case SHA256_KEY_VALUE -> Optional.of(new Sha256Signer());
            case XXH3_KEY_VALUE -> Optional.of(new Xxh3Signer());
            default -> Optional.empty();
        };
    }

    /** True if the signature covers key and value and cannot be forged; an application's own is assumed to be so. */
    public static boolean protectsAgainstTampering(int id) {
        return id == SHA256_KEY_VALUE || (id >= FIRST_SUPPLIED && id <= 255);
    }

    /** True if the format defines the id or reserves it for applications. */
    public static boolean isKnown(int id) {
        return sizeOf(id) > 0 || (id >= FIRST_SUPPLIED && id <= 255);
    }

    /** The size that the format demands for the id; 0 if the application decides. */
    public static int sizeOf(int id) {
        return switch (id) {
            case SHA256_KEY_VALUE -> 32;
            case XXH3_KEY_VALUE -> Xxh3Digest.SIZE_BYTES;
            default -> 0;
        };
    }

    private static final class Sha1 implements InPlaceSigner {
        private static final int SIZE_BYTES = 20;

        private final MessageDigest digest;

        Sha1() {
            try {
                this.digest = MessageDigest.getInstance("SHA-1");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every Java platform has SHA-1", e);
            }
        }

        @Override
        public byte id() {
            return SHA1;
        }

        @Override
        public int sizeBytes() {
            return SIZE_BYTES;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            sign(value, 0, value.length, out, outBegin);
        }

        @Override
        public void sign(ByteSlice key, ByteSlice value, byte[] out) {
            if (value.isNull()) {
                Arrays.fill(out, 0, SIZE_BYTES, (byte) 0);
            } else {
                sign(value.array(), value.begin(), value.sizeBytes(), out, 0);
            }
        }

        private void sign(byte[] array, int begin, int size, byte[] out, int outBegin) {
            digest.update(array, begin, size);
            try {
                digest.digest(out, outBegin, SIZE_BYTES);
            } catch (DigestException e) {
                throw new IllegalArgumentException(
                        "no room for " + SIZE_BYTES + " bytes at " + outBegin + " of " + out.length, e);
            }
        }
    }
}
