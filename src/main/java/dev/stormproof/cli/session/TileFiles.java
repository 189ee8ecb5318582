package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.evidence.notary.NotedTree;
import dev.stormproof.evidence.notary.SignedNote;
import dev.stormproof.evidence.notary.TilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * The files of one tree under a directory, as c2sp.org/tlog-tiles serves them. Each takes its place when it is whole. What is there
 * already stays if it is the same, and is written again if it was cut short.
 */
final class TileFiles {
    private final Path dir;
    private final Path checkpoint;

    /** Opens a directory, which may be missing; the failure says that it is of another tree. */
    TileFiles(Path dir, String origin) throws IOException {
        this.dir = dir;
        this.checkpoint = dir.resolve("checkpoint");
        if (Files.exists(checkpoint) && !new String(Files.readAllBytes(checkpoint), UTF_8).startsWith(origin + "\n")) {
            throw ofAnother(checkpoint);
        }
    }

    /** Writes a tile; false if it is there. */
    boolean writeTile(int level, long index, byte[] hashes) throws IOException {
        Path file = dir.resolve(TilePath.of(level, index, hashes.length / NotedTree.HASH_BYTES));
        if (Files.exists(file)) {
            byte[] there = Files.readAllBytes(file);
            if (Arrays.equals(there, hashes)) {
                return false;
            }
            if (there.length >= hashes.length) {
                throw ofAnother(file);
            }
        }
        write(file, hashes);
        return true;
    }

    /** Writes the checkpoint, in place of an earlier one. */
    void writeCheckpoint(SignedNote note) throws IOException {
        write(checkpoint, note.encode());
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        Files.write(beside, bytes);
        Path unused = Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Failure ofAnother(Path file) {
        return Failure.usage("--output: " + file + " is not of this tree; remove it, or name another directory");
    }
}
