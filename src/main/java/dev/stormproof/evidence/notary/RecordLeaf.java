package dev.stormproof.evidence.notary;

import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.util.Arrays;

/**
 * The bytes of one record, of which its leaf is the hash; docs/FORMAT.md explains them.
 *
 * <pre>
 *   form (int8): 1 | timestamp (int64)
 *   key size (int32), −1 for null | key | value size (int32), −1 for null | value
 *   headers (int32); each: name size (int32) | name (UTF-8) | value size (int32), −1 for null | value
 *
 *   form (int8): −1      of a record that is too large to be read
 * </pre>
 *
 * <p>All integers are big endian. The same object is set to one record after the other; it belongs to one thread.
 */
public final class RecordLeaf {
    /** The form of a record that was read. */
    static final byte READ = 1;

    /** The form of an unread record. */
    static final byte UNREAD = -1;

    private static final int NULL = -1;

    /** RFC 6962's prefix of a leaf, stored before the bytes so that hashing needs no copy. */
    private static final byte LEAF_PREFIX = 0;

    private static final int BEGIN = 1;

    /** The hash of an unread record's leaf. */
    static final Hash UNREAD_HASH = Hash.copyOf(unreadHash());

    private static final byte[] UNREAD_BYTES = unreadHash();

    private final TreeHasher hasher = TreeHash.SHA256.newHasher();
    private byte[] bytes = new byte[1 << 10];
    private int end = BEGIN;

    /** Sets it to a record without headers, which {@link #addHeader} adds. */
    public void set(long timestampMillis, ByteSlice key, ByteSlice value, int headers) {
        end = BEGIN;
        room(1 + Long.BYTES);
        bytes[end++] = READ;
        putInt((int) (timestampMillis >>> Integer.SIZE));
        putInt((int) timestampMillis);
        put(key.array(), key.begin(), key.sizeBytes());
        put(value.array(), value.begin(), value.sizeBytes());
        room(Integer.BYTES);
        putInt(headers);
    }

    public void addHeader(byte[] array, int nameBegin, int nameBytes, int valueBegin, int valueBytes) {
        put(array, nameBegin, nameBytes);
        put(array, valueBegin, valueBytes);
    }

    /** Sets it to a record that is too large to be read, of which only the place is noted. */
    public void setUnread() {
        bytes[BEGIN] = UNREAD;
        end = BEGIN + 1;
    }

    private static byte[] unreadHash() {
        RecordLeaf leaf = new RecordLeaf();
        leaf.setUnread();
        byte[] hash = new byte[NotedTree.HASH_BYTES];
        leaf.hashTo(hash, 0);
        return hash;
    }

    /** True for the hash of an unread record's leaf. */
    static boolean isUnread(byte[] hash, int begin) {
        return Arrays.equals(hash, begin, begin + UNREAD_BYTES.length, UNREAD_BYTES, 0, UNREAD_BYTES.length);
    }

    /** Writes the leaf's hash, 32 bytes. */
    public void hashTo(byte[] out, int begin) {
        bytes[0] = LEAF_PREFIX;
        hasher.plain(bytes, 0, end, out, begin);
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, BEGIN, end);
    }

    private void put(byte[] array, int begin, int sizeBytes) {
        room(Integer.BYTES + Math.max(0, sizeBytes));
        putInt(Math.max(NULL, sizeBytes));
        if (sizeBytes > 0) {
            System.arraycopy(array, begin, bytes, end, sizeBytes);
            end += sizeBytes;
        }
    }

    private void putInt(int value) {
        bytes[end] = (byte) (value >>> 24);
        bytes[end + 1] = (byte) (value >>> 16);
        bytes[end + 2] = (byte) (value >>> 8);
        bytes[end + 3] = (byte) value;
        end += Integer.BYTES;
    }

    private void room(int wanted) {
        if (bytes.length - end < wanted) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + wanted));
        }
    }
}
