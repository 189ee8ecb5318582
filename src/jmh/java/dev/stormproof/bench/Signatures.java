package dev.stormproof.bench;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * The events that all benchmarks work on, each as both sides like it: signature i is the SHA-1 of "event-" and i.
 *
 * @param strings 40 hexadecimal digits each, as format 1 has them
 * @param hashes the same, 20 bytes each
 */
record Signatures(List<String> strings, List<Hash> hashes) {
    static final int SIZE_BYTES = 20;

    /** The signatures of the events 0 to {@code count}, that one excluded. */
    static Signatures of(int count) {
        List<String> strings = new ArrayList<>(count);
        List<Hash> hashes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Hash hash = ofEvent(i);
            hashes.add(hash);
            strings.add(hash.toHex());
        }
        return new Signatures(strings, hashes);
    }

    static Hash ofEvent(int event) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Hash.copyOf(sha1.digest(("event-" + event).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-1", e);
        }
    }

    /** The hashes one after another: none waits for memory, as none does that has just been made or read. */
    byte[] packed() {
        byte[] packed = new byte[SIZE_BYTES * hashes.size()];
        for (int i = 0; i < hashes.size(); i++) {
            hashes.get(i).copyTo(packed, i * SIZE_BYTES);
        }
        return packed;
    }

    /** The strings' bytes, as the leaves of format 1. */
    Leaves stringLeaves() {
        Leaves.Builder leaves = Leaves.builder();
        for (String string : strings) {
            byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
            leaves.append(bytes, 0, bytes.length);
        }
        return leaves.build();
    }

    Leaves leaves() {
        Leaves.Builder leaves = Leaves.builder(SIZE_BYTES * hashes.size());
        hashes.forEach(leaves::append);
        return leaves.build();
    }
}
