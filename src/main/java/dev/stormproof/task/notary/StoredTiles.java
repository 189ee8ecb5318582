package dev.stormproof.task.notary;

import dev.stormproof.evidence.notary.KeptLeaves;
import dev.stormproof.evidence.notary.NotedTree;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.proof.tree.Hash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tiles of a tree, copied from their topic into a temporary file, which {@link #close} deletes. For one thread. */
public final class StoredTiles implements KeptLeaves {
    private static final int TILE = 256;
    private static final int HASH_BYTES = NotedTree.HASH_BYTES;

    private final FileChannel file;
    /** The first wanted leaf; earlier tiles are ignored. */
    private final long begin;
    /** The number of leaves of the tree; later tiles are not its own. */
    private final long size;
    /** The full tiles, numbered from the one with the first wanted leaf. */
    private final BitSet full = new BitSet();
    /** The number of hashes of each other tile, by index. */
    private final Map<Long, Integer> unfinished = new HashMap<>();

    private StoredTiles(FileChannel file, long begin, long size) {
        this.file = file;
        this.begin = begin;
        this.size = size;
    }

    /**
     * Copies the tiles that the topic has.
     *
     * @param begin the first wanted leaf
     * @param size the number of leaves of the tree
     */
    public static StoredTiles of(TilesTopic topic, int partitions, Origin origin, long begin, long size) {
        try {
            Path path = Files.createTempFile("stormproof-tiles", "");
            StoredTiles tiles = new StoredTiles(
                    FileChannel.open(
                            path,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE),
                    begin,
                    size);
            try {
                topic.read(partitions, origin, tiles::put);
            } catch (RuntimeException e) { // No other code closes the file then.
                tiles.close();
                throw e;
            }
            return tiles;
        } catch (IOException e) {
            throw new UncheckedIOException("tiles cannot be copied to a temporary file", e);
        }
    }

    private void put(Hash hashes, long index) {
        if (index < begin / TILE || index >= size / TILE + 1) {
            return;
        }
        int length = hashes.sizeBytes() / HASH_BYTES;
        if (hashes.sizeBytes() % HASH_BYTES != 0 || length > TILE || length <= length(index)) {
            return;
        }
        if (length == TILE) {
            full.set(Math.toIntExact(index - begin / TILE));
            unfinished.remove(index);
        } else {
            unfinished.put(index, length);
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(hashes.toByteArray());
            long at = (index - begin / TILE) * TILE * HASH_BYTES;
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int length(long index) {
        long number = index - begin / TILE;
        return number >= 0 && number < full.length() && full.get((int) number)
                ? TILE
                : unfinished.getOrDefault(index, 0);
    }

    @Override
    public byte @Nullable [] leaves(long from, long end) {
        for (long tile = from / TILE; tile * TILE < end; tile++) {
            if (length(tile) < Math.min(TILE, end - tile * TILE)) {
                return null;
            }
        }
        byte[] leaves = new byte[Math.toIntExact((end - from) * HASH_BYTES)];
        try {
            ByteBuffer bytes = ByteBuffer.wrap(leaves);
            long at = (from - begin / TILE * TILE) * HASH_BYTES;
            while (bytes.hasRemaining()) {
                if (file.read(bytes, at + bytes.position()) < 0) {
                    return null;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return leaves;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
