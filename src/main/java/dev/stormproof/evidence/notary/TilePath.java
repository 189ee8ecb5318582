package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import java.util.Locale;

/** The path of a tile and its hash, of <a href="https://c2sp.org/tlog-tiles">c2sp.org/tlog-tiles</a>. */
public final class TilePath {
    /** The number of hashes in a full tile. */
    public static final int FULL = NoteTaking.TILE;

    private TilePath() {}

    /**
     * The path under a log's prefix.
     *
     * @param width the number of its hashes, {@value #FULL} if it is full
     */
    public static String of(int level, long index, int width) {
        StringBuilder path = new StringBuilder(String.format(Locale.ROOT, "%03d", index % 1_000));
        for (long rest = index / 1_000; rest > 0; rest /= 1_000) {
            path.insert(0, String.format(Locale.ROOT, "x%03d/", rest % 1_000));
        }
        return "tile/" + level + "/" + path + (width == FULL ? "" : ".p/" + width);
    }

    /** The hash of a full tile in the level above. */
    public static Hash root(byte[] hashes) {
        NotedTree tree = new NotedTree();
        for (int at = 0; at < hashes.length; at += NotedTree.HASH_BYTES) {
            tree.append(hashes, at);
        }
        return tree.root();
    }
}
