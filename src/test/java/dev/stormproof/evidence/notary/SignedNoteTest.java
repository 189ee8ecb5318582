package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.proof.tree.Hash;
import java.lang.management.ManagementFactory;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Notes, keys and proofs as bytes that nobody vouches for. */
class SignedNoteTest {
    private static final PublicKey KEY = PaperPartition.KEY.publicKey();

    /** The example of c2sp.org/signed-note. */
    private static final String VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

    private static final NoteKey EXAMPLE = new NoteKey(
            "example.com/foo", PublicKey.ofText("MCowBQYDK2VwAyEA6TJ5GubnqECkYWTJBHhkJtXngh3YspoA1hyucq/dTaQ="));

    private static final String NOTE = "This is an example message.\n\n— example.com/foo "
            + "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

    private final PaperPartition partition =
            new PaperPartition().append(300).note().append(7).note();
    private final Note.Written written = written();

    private static Note.Written written() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        taking.take(0, 0, PaperPartition.leaf("a"));
        return taking.note(5, NoteState.Place.NONE, PaperPartition.KEY);
    }

    @Test
    void theExampleOfTheSpecificationIsVerified() throws Exception {
        assertThat(EXAMPLE.text()).isEqualTo(VKEY);
        assertThat(SignedNote.parse(NOTE.getBytes(UTF_8)).isSignedBy(EXAMPLE)).isTrue();
        assertThat(new String(SignedNote.parse(NOTE.getBytes(UTF_8)).encode(), UTF_8))
                .isEqualTo(NOTE);
    }

    /** What src/test/python/sign_with_torsion.py signed: Bouncy Castle alone takes it. */
    @Test
    void aSignatureThatOthersRefuseProvesNothing() throws Exception {
        String text = SignedNote.parse(written.value().toByteArray()).text();
        NoteKey notary = NoteKey.of(PaperPartition.ORIGIN.text(), KEY);
        SignedNote note = noteOf(
                text,
                notary,
                "fe66a8ea6a8a59c93553984d6ed09b1c88306f64f667e1a10f0ef30f02874296"
                        + "bff78cff5ba83fc6a851aa78ffa4e81be2cdac1e67d9f5a1f01fc6bb4b7cd902");

        assertThat(note.isSignedBy(notary)).isTrue();
        assertThatThrownBy(() -> note.isSignedForAllBy(notary)).isInstanceOf(MalformedNoteException.class);
    }

    private static SignedNote noteOf(String text, NoteKey key, String signature) {
        Hash bytes = Hash.copyOf(HexFormat.of().parseHex(signature));
        return new SignedNote(text, List.of(new SignedNote.Signature(key.name(), key.id(), bytes)));
    }

    /** Witnesses add lines to a note, of keys and types that nobody here knows; so does whoever has another key of the notary's name. */
    @Test
    void signaturesOfUnknownKeysAreReadAndPassedOver() throws Exception {
        Note last = partition.notes.get(1);
        String origin = PaperPartition.ORIGIN.text();
        String cosigned = new String(last.signed().encode(), UTF_8)
                + "— unknown.example AAAAAQID\n"
                + line("w1.example", new byte[4 + 8 + 64])
                + line(origin, new byte[4 + 64]);
        SignedNote note = SignedNote.parse(cosigned.getBytes(UTF_8));
        NoteKey notary = NoteKey.of(origin, KEY);

        assertThat(note.signatures()).hasSize(4);
        assertThat(note.isSignedBy(notary)).isTrue();
        assertThat(note.isSignedForAllBy(notary)).isTrue();
        assertThat(new String(note.encode(), UTF_8)).isEqualTo(cosigned);

        byte[] leaf = PaperPartition.leaf("record 303").toByteArray();
        byte[] proof = new TlogProof(Hash.copyOf(leaf), 303, partition.path(303), note).encode();
        assertThat(TlogProof.parse(proof).check(leaf, KEY)).isEqualTo(last.head());
        Extension extension = new Extension(300, partition.consistency(), note);
        assertThat(Extension.parse(extension.encode())).isEqualTo(extension);
    }

    private static String line(String name, byte[] idAndSignature) {
        return "— " + name + " " + Base64.getEncoder().encodeToString(idAndSignature) + "\n";
    }

    @Test
    void aNoteIsReadAsItWasWritten() throws Exception {
        assertThat(Note.read(written.value().toByteArray(), written.stateBytes().toByteArray(), KEY))
                .isEqualTo(written.note());
    }

    /** Base64 and the rule of one form leave no bit without a meaning. */
    @Test
    void eachFlippedBitIsRefused() {
        for (boolean inState : new boolean[] {false, true}) {
            int bytes = (inState ? written.stateBytes() : written.value()).sizeBytes();
            for (int bit = 0; bit < bytes * 8; bit++) {
                byte[] value = written.value().toByteArray();
                byte[] state = written.stateBytes().toByteArray();
                (inState ? state : value)[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> Note.read(value, state, KEY))
                        .as("bit %d", bit)
                        .isInstanceOf(MalformedNoteException.class);
            }
        }
    }

    @Test
    void aNoteOfAnotherKeyIsRefused() throws Exception {
        PublicKey other = EXAMPLE.key();

        assertThatThrownBy(() -> Note.read(
                        written.value().toByteArray(), written.stateBytes().toByteArray(), other))
                .isInstanceOf(MalformedNoteException.class)
                .hasMessageContaining("the notary's key did not sign");
    }

    @Test
    void aStateOfAnotherTreeIsRefusedThoughItIsSigned() {
        NoteState state = written.note().state();
        NoteState other = new NoteState(
                state.number(),
                state.size(),
                state.begin(),
                state.from(),
                state.next(),
                state.leaders(),
                state.timeMillis(),
                state.tile(),
                Hash.copyOf(new byte[32]));

        assertThatThrownBy(() -> Note.read(
                        written.value().toByteArray(),
                        other.encode(written.value().toByteArray(), PaperPartition.KEY),
                        KEY))
                .hasMessageContaining("another tree");
    }

    @Test
    void aProofShowsItsRecordAndNoOther() throws Exception {
        Note last = partition.notes.get(1);
        byte[] leaf = PaperPartition.leaf("record 303").toByteArray();
        byte[] proof = new TlogProof(Hash.copyOf(leaf), 303, partition.path(303), last.signed()).encode();

        TlogProof read = TlogProof.parse(proof);
        assertThat(read.check(leaf, KEY)).isEqualTo(last.head());
        assertThat(read.encode()).isEqualTo(proof);
        assertThatThrownBy(() -> read.check(PaperPartition.leaf("record 304").toByteArray(), KEY))
                .isInstanceOf(MalformedNoteException.class);
        PublicKey other = EXAMPLE.key();
        assertThatThrownBy(() -> read.check(leaf, other)).isInstanceOf(MalformedNoteException.class);
    }

    /** A tree may have a name that no key has, as Go's "go.sum database tree": nothing is signed by a key of that name. */
    @Test
    void aProofFromATreeOfANameThatNoKeyHasIsRefused() throws Exception {
        SignedNote last = partition.notes.get(1).signed();
        for (String name : List.of("a tree", "a+tree", "tree\u00a0")) {
            SignedNote renamed =
                    new SignedNote(last.text().replace(PaperPartition.ORIGIN.text(), name), last.signatures());
            TlogProof proof = new TlogProof(null, 0, List.of(), renamed);

            assertThatThrownBy(() -> proof.check(new byte[1], KEY))
                    .as(name)
                    .isInstanceOf(MalformedNoteException.class)
                    .hasMessageContaining("names no key");
        }
    }

    @Test
    void whatIsTooLargeIsRefused() {
        String line = NOTE.substring(NOTE.indexOf("— "));
        String many = NOTE + line.repeat(SignedNote.MOST_SIGNATURES);
        String large = "x".repeat(SignedNote.MOST_BYTES) + NOTE;
        String path = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n".repeat(TlogProof.MOST_HASHES + 1);

        assertThatThrownBy(() -> SignedNote.parse(many.getBytes(UTF_8)))
                .hasMessageContaining("more than " + SignedNote.MOST_SIGNATURES);
        assertThatThrownBy(() -> SignedNote.parse(large.getBytes(UTF_8)))
                .hasMessageContaining("at most " + SignedNote.MOST_BYTES);
        assertThatThrownBy(() ->
                        TlogProof.parse(("c2sp.org/tlog-proof@v1\nindex 0\n" + path + "\n" + NOTE).getBytes(UTF_8)))
                .hasMessageContaining("too many");
        assertThatThrownBy(() -> Extension.parse(("old 1\n" + path + "\n" + NOTE).getBytes(UTF_8)))
                .isInstanceOf(MalformedNoteException.class);
    }

    /** A file of 128 MB of empty lines would take gigabytes. */
    @Test
    void ofManyLinesNoneIsKeptBehindThoseThatAProofHas() {
        String lines = "A\n".repeat(1_000_000);
        byte[] inclusion = ("c2sp.org/tlog-proof@v1\nindex 0\n" + lines + "\n" + NOTE).getBytes(UTF_8);
        byte[] consistency = ("old 1\n" + lines + "\n" + NOTE).getBytes(UTF_8);
        assertThat(allocatedByRefusing(() -> TlogProof.parse(inclusion))).isLessThan(10L * inclusion.length);
        assertThat(allocatedByRefusing(() -> Extension.parse(consistency))).isLessThan(10L * consistency.length);
    }

    private static long allocatedByRefusing(ThrowingCallable parse) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(parse).isInstanceOf(MalformedNoteException.class);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
