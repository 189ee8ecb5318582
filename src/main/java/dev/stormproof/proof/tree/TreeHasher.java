package dev.stormproof.proof.tree;

/**
 * The three hashes of one Merkle tree: of a leaf, of an inner node, and of plain bytes.
 *
 * <p>After <a href="https://www.rfc-editor.org/rfc/rfc6962#section-2.1">RFC 6962, section 2.1</a>, a leaf is H(0x00 ‖
 * data) and a node is H(0x01 ‖ left ‖ right), so that neither can pass for the other. {@link TreeHash#ADLER32} follows
 * format 1 instead: a leaf's hash is the leaf itself, of any size, and a node is H(left ‖ right).
 *
 * <p>An instance belongs to one thread and reuses its buffers: nothing is allocated per call. An output may overlap the
 * inputs.
 */
public sealed interface TreeHasher permits Xxh3Hasher, Sha256Hasher, Adler32Hasher {
    /** The longest hash of a leaf, by {@link TreeHash#ADLER32}. */
    int MAX_LEAF_HASH_BYTES = 255;

    /**
     * Writes the hash of the leaf {@code data[begin, begin + sizeBytes)} to {@code out}, beginning at {@code outBegin}.
     *
     * @return how many bytes were written: {@link TreeHash#sizeBytes()}, except for {@link TreeHash#ADLER32}
     */
    int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin);

    /**
     * Writes the hash of an inner node, {@link TreeHash#sizeBytes()} bytes, to {@code out}, beginning at {@code outBegin}.
     *
     * @param in holds the hashes of both children, that of the left one beginning at {@code left}
     */
    void node(byte[] in, int left, int leftBytes, int right, int rightBytes, byte[] out, int outBegin);

    /** Writes the hash of plain bytes, with nothing before them, to {@code out}, beginning at {@code outBegin}. */
    void plain(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin);
}
