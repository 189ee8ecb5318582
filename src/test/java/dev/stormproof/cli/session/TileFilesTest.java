package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.evidence.notary.SignedNote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an export leaves, replaces and refuses of the files that are there. */
class TileFilesTest {
    private static final String NOTE =
            "notary-1/a\n1\nD9ihB36yJkW9Z4IB6g97uQpJpMXRRfQSolwSwX3jQnU=\n\n— notary-1/a AAAAAAA=\n";

    private final byte[] hashes = new byte[2 * 32];
    private final Path dir;
    private final Path file;

    TileFilesTest(@TempDir Path temporary) {
        this.dir = temporary.resolve("tree");
        this.file = dir.resolve("tile/0/003.p/2");
        Arrays.fill(hashes, (byte) 7);
    }

    @Test
    void aTileIsWrittenOnceAndWholeIfItIsCutShort() throws Exception {
        TileFiles files = new TileFiles(dir, "notary-1/a");
        assertThat(files.writeTile(0, 3, hashes)).isTrue();
        assertThat(files.writeTile(0, 3, hashes)).isFalse();
        Files.write(file, Arrays.copyOf(hashes, 40));
        assertThat(files.writeTile(0, 3, hashes)).isTrue();

        assertThat(file).hasBinaryContent(hashes);
        try (Stream<Path> beside = Files.list(file.getParent())) {
            assertThat(beside).containsExactly(file);
        }
    }

    @Test
    void aTileOfAnotherTreeIsRefusedAndStays() throws Exception {
        byte[] other = new byte[hashes.length];
        Files.createDirectories(file.getParent());
        Files.write(file, other);

        assertThatThrownBy(() -> new TileFiles(dir, "notary-1/a").writeTile(0, 3, hashes))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("003.p/2 is not of this tree");
        assertThat(file).hasBinaryContent(other);
    }

    /** Trees of other sizes may have no tile of one name. */
    @Test
    void aDirectoryWithTheCheckpointOfAnotherTreeIsRefused() throws Exception {
        new TileFiles(dir, "notary-1/a").writeCheckpoint(SignedNote.parse(NOTE.getBytes(UTF_8)));

        assertThat(Files.readString(dir.resolve("checkpoint"))).isEqualTo(NOTE);
        new TileFiles(dir, "notary-1/a").writeCheckpoint(SignedNote.parse(NOTE.getBytes(UTF_8)));
        assertThatThrownBy(() -> new TileFiles(dir, "notary-1/b"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("checkpoint is not of this tree");
    }
}
