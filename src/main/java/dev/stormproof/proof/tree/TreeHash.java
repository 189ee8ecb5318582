package dev.stormproof.proof.tree;

import java.util.Arrays;
import java.util.Optional;

/** The hash of a tree. Never a CRC: CRCs are linear, so that damages may cancel out. */
public enum TreeHash {
    /** XXH3 of 64 bits: the default, against accidents. */
    XXH3(1, "xxh3", 8),
    /** SHA-256 as in RFC 6962, for peers that do not trust each other. */
    SHA256(2, "sha256", 32),
    /** Adler-32 by the rule of format 1, and only there. */
    ADLER32(3, "adler32", 8);

    /** One array, since each call of {@code values()} makes one. */
    private static final TreeHash[] ALL = values();

    private final byte id;
    private final String label;
    private final int sizeBytes;

    TreeHash(int id, String label, int sizeBytes) {
        this.id = (byte) id;
        this.label = label;
        this.sizeBytes = sizeBytes;
    }

    public byte id() {
        return id;
    }

    public String label() {
        return label;
    }

    /** The size of a root, except that a one-leaf tree of {@link #ADLER32} has its leaf as root. */
    public int sizeBytes() {
        return sizeBytes;
    }

    public TreeHasher newHasher() {
        return switch (this) {
            case XXH3 -> new Xxh3Hasher();
            case SHA256 -> new Sha256Hasher();
            case ADLER32 -> new Adler32Hasher();
        };
    }

    /** The root of the tree without leaves: the hash of no bytes. */
    public Hash emptyRoot() {
        return hash(new byte[0], 0);
    }

    /** The hash of {@code data[0, end)}, with nothing before it. */
    public Hash hash(byte[] data, int end) {
        byte[] hash = new byte[sizeBytes];
        newHasher().plain(data, 0, end, hash, 0);
        return Hash.copyOf(hash);
    }

    public static Optional<TreeHash> ofId(int id) {
        for (TreeHash treeHash : ALL) {
            if (treeHash.id == id) {
                return Optional.of(treeHash);
            }
        }
        return Optional.empty();
    }

    public static Optional<TreeHash> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(treeHash -> treeHash.label.equals(label))
                .findFirst();
    }
}
