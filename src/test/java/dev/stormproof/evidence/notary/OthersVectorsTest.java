package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Hash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Notes, proofs and tiles that Go's sumdb packages and torchwood made ({@code scripts/checks/notary/go}, {@code go run . make DIR}): ours of the
 * same records are the same bytes, and theirs are believed here.
 */
class OthersVectorsTest {
    private static final Path THEIRS = Path.of("src/test/resources/notary/go");
    private static final int EARLIER = 300;
    private static final int LATER = 700;
    private static final int INDEX = 512;

    private final PaperPartition ours =
            new PaperPartition().append(EARLIER).note().append(LATER - EARLIER).note();

    private static byte[] theirs(String name) throws IOException {
        return Files.readAllBytes(THEIRS.resolve(name));
    }

    private Note earlier() {
        return ours.notes.get(0);
    }

    private Note later() {
        return ours.notes.get(1);
    }

    @Test
    void theirNotesAreOurs() throws Exception {
        assertThat(new String(earlier().signed().encode(), UTF_8)).isEqualTo(new String(theirs("earlier"), UTF_8));
        assertThat(new String(later().signed().encode(), UTF_8)).isEqualTo(new String(theirs("checkpoint"), UTF_8));
    }

    @Test
    void theirNotesAreBelieved() throws Exception {
        NoteKey key = NoteKey.of(PaperPartition.ORIGIN.text(), PaperPartition.KEY.publicKey());

        assertThat(key.text()).isEqualTo(new String(theirs("vkey"), UTF_8).strip());
        assertThat(SignedNote.parse(theirs("checkpoint")).isSignedBy(key)).isTrue();
        assertThat(TreeHead.parse(SignedNote.parse(theirs("checkpoint")).text()))
                .isEqualTo(later().head());
    }

    @Test
    void theirProofIsOursAndBelieved() throws Exception {
        byte[] leaf = PaperPartition.leaf("record " + INDEX).toByteArray();
        TlogProof proof = new TlogProof(Hash.copyOf(leaf), INDEX, ours.path(INDEX), later().signed());

        assertThat(new String(proof.encode(), UTF_8)).isEqualTo(new String(theirs("proof.tlog-proof"), UTF_8));
        assertThat(TlogProof.parse(theirs("proof.tlog-proof")).check(leaf, PaperPartition.KEY.publicKey()))
                .isEqualTo(later().head());
        NotedRecord record = NotedRecord.parse(leaf);
        assertThat(record.value()).isEqualTo(Hash.copyOf(("record " + INDEX).getBytes(UTF_8)));
        assertThat(record.key()).isNull();
        assertThat(record.timestampMillis()).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void theirConsistencyIsOursAndBelieved() throws Exception {
        Extension extension = new Extension(EARLIER, ours.consistency(), later().signed());

        assertThat(new String(extension.encode(), UTF_8)).isEqualTo(new String(theirs("consistency"), UTF_8));
        Extension read = Extension.parse(theirs("consistency"));
        assertThat(new Consistency().holds(earlier().head(), later().head(), read.proof()))
                .isTrue();
    }

    @Test
    void theirTilesAreOurs() throws Exception {
        for (long tile = 0; tile * TilePath.FULL < LATER; tile++) {
            byte[] hashes = ours.tile(tile);
            byte[] tiles = theirs(TilePath.of(0, tile, hashes.length / 32));
            assertThat(hashes).as("tile %d", tile).isEqualTo(tiles);
            if (hashes.length == 32 * TilePath.FULL) {
                int at = (int) tile * 32;
                assertThat(TilePath.root(hashes).toByteArray())
                        .isEqualTo(Arrays.copyOfRange(theirs("tile/1/000.p/2"), at, at + 32));
            }
        }
    }

    @Test
    void aTilesPathHasThreeDigitsInEachPart() {
        assertThat(TilePath.of(0, 1_234_067, 256)).isEqualTo("tile/0/x001/x234/067");
        assertThat(TilePath.of(2, 5, 17)).isEqualTo("tile/2/005.p/17");
    }
}
