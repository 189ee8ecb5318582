package dev.stormproof.proof.checkpoint;

/**
 * The layout of a checkpoint of format 2, version 1.
 *
 * <pre>
 *        at  size  field
 *         0     4  magic, "SPCP"
 *         4     1  version, 1
 *         5     1  flags: 1 closing, 2 leaves, 4 signed, 8 refused; the others 0
 *         6     1  tree hash id, 1 or 2; h is the size of its hashes
 *         7     1  signature algorithm id
 *         8     1  s, the size of an event's signature
 *         9     8  emitter id
 *        17     4  partition
 *        21     8  number
 *        29     8  first sequence
 *        37     4  c, the event count
 *        41     8  created at, milliseconds
 *        49     8  deadline, milliseconds
 *        57     8  hint to the previous checkpoint's offset, or -1
 *        65     2  u, the count of uncertain ranges
 *        67     1  t, the size of the topic
 *        68     1  n, the size of the emitter's name
 *        69     t  topic
 *               n  emitter's name
 *            u×16  uncertain ranges: begin, end
 *               h  root
 *               h  previous hash; absent in number 0
 *             c×s  signatures, if the flag leaves is set
 *   ---------------  end of the body, which the chain hash covers
 *               k  key id, if the flag signed is set
 *               1  k, if the flag signed is set
 *              64  Ed25519 signature over everything before it, if the flag signed is set
 *               8  checksum: XXH3 over everything before it
 * </pre>
 *
 * <p>All integers are big endian. Every later version keeps magic, version and checksum where they are.
 */
final class Format2Layout {
    static final int MAGIC = 0x53504350;
    static final int VERSION = 1;
    static final int FLAGS_AT = 5;
    static final int TREE_HASH_AT = 6;
    static final int SIGNATURE_ALGORITHM_AT = 7;
    static final int ED25519_BYTES = 64;
    static final int FIXED_BYTES = 69;
    static final int CHECKSUM_BYTES = Long.BYTES;
    static final int RANGE_BYTES = 2 * Long.BYTES;
    static final int CLOSING = 1;
    static final int WITH_LEAVES = 2;
    static final int SIGNED = 4;
    static final int REFUSED = 8;
    static final int ALL_FLAGS = CLOSING | WITH_LEAVES | SIGNED | REFUSED;

    private Format2Layout() {}
}
