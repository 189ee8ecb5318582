package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import dev.stormproof.guards.Guards;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sign.TrustedKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a proof shows, and that whatever is wrong about one has it refused, with the place. */
class ProofCheckTest {
    private static final long SEQUENCE = Proofs.FIRST + 3;

    private static void assertRefused(byte[] proof) {
        assertRefused(proof, "line ");
    }

    private static void assertRefused(byte[] proof, String... why) {
        assertThatThrownBy(() -> Proofs.check().check(proof))
                .isInstanceOf(RefusedProofException.class)
                .message()
                .startsWith("line ")
                .contains(List.of(why));
    }

    /** One of the golden proofs. */
    static byte[] golden(String name) {
        return Objects.requireNonNull(golden().get(name));
    }

    /** The golden proofs, by the names of their files. */
    static Map<String, byte[]> golden() {
        Format2Checkpoint checkpoint = Proofs.checkpoint(6);
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        proofs.put("receipt.proof", Proofs.receipt(checkpoint, SEQUENCE).judged(Proofs.VERIFIED, Proofs.VERIFIER));
        proofs.put(
                "receipt-unjudged.proof", Proofs.receipt(checkpoint, SEQUENCE).unjudged());
        proofs.put(
                "receipt-without-content.proof",
                Proofs.receiptWithoutContent(checkpoint, SEQUENCE).unjudged());
        proofs.put("receipt-of-nulls.proof", receiptOfNulls(0));
        proofs.put("receipt-of-a-far-time.proof", receiptOfNulls(Long.MAX_VALUE));
        proofs.put("statement.proof", Proofs.statement());
        proofs.put("statement-of-each-line.proof", Proofs.statementOfEachLine());
        return proofs;
    }

    private static byte[] receiptOfNulls(long createdAtMillis) {
        byte[] signed = Proofs.signedOfNulls(SEQUENCE, createdAtMillis);
        return Receipt.ofContent(SEQUENCE, null, new byte[0], new AuditPath(List.of()), signed)
                .unjudged();
    }

    static List<String> names() {
        return List.copyOf(golden().keySet());
    }

    /** Written by {@code -Devidence.write=true}. */
    @ParameterizedTest
    @MethodSource("names")
    void theBytesOfAProofStay(String name) throws Exception {
        Path file = Path.of("src/test/resources/evidence", name);
        if (Boolean.getBoolean("evidence.write")) {
            Files.write(file, golden(name));
        }
        assertThat(golden(name)).isEqualTo(Files.readAllBytes(file));
        assertThat(Proofs.check().check(golden(name))).isNotNull();
    }

    /** Proofs that are whole and signed, and prove nothing, by the names of their files. */
    static Map<String, byte[]> refused() {
        Map<String, byte[]> proofs = new LinkedHashMap<>(weak());
        proofs.putAll(malformed());
        return proofs;
    }

    /** What protects against accidents alone. */
    static Map<String, byte[]> weak() {
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        proofs.put(
                "receipt-of-a-recovered-end.proof",
                Proofs.receipt(Proofs.recovered(6), SEQUENCE).unjudged());
        proofs.put(
                "receipt-of-a-weak-tree.proof",
                Receipt.ofSignature(
                                Proofs.FIRST,
                                Proofs.signature(Proofs.FIRST),
                                new AuditPath(List.of()),
                                Proofs.signed(Proofs.checkpoint(1, TreeHash.XXH3, List.of())))
                        .unjudged());
        return proofs;
    }

    /** What has another form than docs/EVIDENCE.md says, signed by whoever would have to sign it. */
    private static Map<String, byte[]> malformed() {
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        byte[] nulls = golden("receipt-of-nulls.proof");
        proofs.put("receipt-of-no-bytes-and-null.proof", refitted(nulls, "\nvalue =\n", "\nvalue -=\n"));
        proofs.put("receipt-of-a-stamp-in-no-base64.proof", refitted(nulls, "\nlines ", "\ntime-stamp ***\nlines "));
        proofs.put(
                "receipt-of-an-offset-too-large.proof",
                Proofs.resigned(golden("receipt.proof"), "\noffset 4711\n", "\noffset 9223372036854775808\n"));
        byte[] statement = Proofs.statement();
        proofs.put(
                "statement-of-a-stamp-in-no-base64.proof", refitted(statement, "\nlines ", "\ntime-stamp ***\nlines "));
        Map.of(
                        "of-no-partition", List.of("\npartition 0 log=0-9000 audited=100-5000", ""),
                        "of-lines-out-of-order", List.of("\npartition 0", "\nopen partition=0\npartition 0"),
                        "of-an-unknown-line", List.of("\nnot-judged ", "\nnot-known "),
                        "of-no-number", List.of("\nevents 4900", "\nevents x"),
                        "of-a-number-too-large", List.of("\nproven 4900", "\nproven 9223372036854775808"),
                        "of-two-beginnings", List.of("\nuntil ", "\nsince 2025-11-01T00:00:00Z\nuntil "),
                        "of-more-in-words", List.of("\nnot-judged ", "\nmore-streams many\nnot-judged "),
                        "of-more-twice", List.of("\nnot-judged ", "\nmore-findings 1\nmore-findings 2\nnot-judged "),
                        "of-another-demand", List.of("\ndemanded tampering", "\ndemanded nothing"))
                .forEach((name, change) -> proofs.put(
                        "statement-" + name + ".proof", Proofs.resigned(statement, change.get(0), change.get(1))));
        return proofs;
    }

    private static byte[] refitted(byte[] proof, String part, String other) {
        return Proofs.repaired(
                Proofs.replaced(new String(proof, UTF_8), part, other).getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "receipt-of-no-bytes-and-null, line 4 (value)",
        "receipt-of-an-offset-too-large, line 14 (offset)",
        "statement-of-lines-out-of-order, line 11 (open)",
        "statement-of-an-unknown-line, line 13 (not-known)",
        "statement-of-no-number, line 14 (events)",
        "statement-of-a-number-too-large, line 15 (proven)",
        "statement-of-two-beginnings, line 9 (since)",
        "statement-of-more-twice, line 14 (more-findings)"
    })
    void whatIsSignedInAnotherFormIsRefusedAtItsLine(String name, String place) {
        assertRefused(refused(name + ".proof"), place + ": ");
    }

    @Test
    @Guards("time-stamp-is-base64")
    void aTimeStampThatIsNoBase64IsRefused() {
        assertRefused(refused("receipt-of-a-stamp-in-no-base64.proof"), "line 6 (time-stamp): ");
        assertRefused(refused("statement-of-a-stamp-in-no-base64.proof"), "line 20 (time-stamp): ");
    }

    @Test
    @Guards("statement-names-a-partition")
    void aStatementOfNoPartitionIsRefused() {
        assertRefused(refused("statement-of-no-partition.proof"), "line 11 (stream): ");
    }

    @Test
    @Guards("statement-names-a-demand")
    void aStatementOfAnotherDemandIsRefused() {
        assertRefused(refused("statement-of-another-demand.proof"), "line 7 (demanded): ");
    }

    @Test
    @Guards("more-of-a-kind-is-a-number")
    void howManyMoreThereAreInWordsIsRefused() {
        assertRefused(refused("statement-of-more-in-words.proof"), "line 13 (more-streams): ");
    }

    @Test
    @Guards({"receipt-of-a-weaker-checkpoint-is-refused", "recovered-end-is-no-protection-against-tampering"})
    void whatIsSignedAndProtectsAgainstAccidentsAloneProvesNothing() {
        assertRefused(refused("receipt-of-a-recovered-end.proof"), "(checkpoint)", "a recovered end");
        assertRefused(refused("receipt-of-a-weak-tree.proof"), "(checkpoint)", "protects against accidents alone");
    }

    /** Written by {@code -Devidence.write=true}; the other two implementations refuse the same files. */
    @Test
    void theBytesOfWhatIsRefusedStay() throws Exception {
        for (Map.Entry<String, byte[]> proof : refused().entrySet()) {
            Path file = Path.of("src/test/resources/evidence-refused", proof.getKey());
            if (Boolean.getBoolean("evidence.write")) {
                Files.createDirectories(file.getParent());
                Files.write(file, proof.getValue());
            }
            assertThat(proof.getValue()).isEqualTo(Files.readAllBytes(file));
        }
    }

    private static byte[] refused(String name) {
        return Objects.requireNonNull(refused().get(name));
    }

    @Test
    void aReceiptShowsTheEventItsCheckpointAndTheVerdict() throws Exception {
        OfReceipt receipt = (OfReceipt) Proofs.check().check(golden("receipt.proof"));

        assertThat(receipt.sequence()).isEqualTo(SEQUENCE);
        assertThat(receipt.signature()).isEqualTo(Proofs.signature(SEQUENCE));
        assertThat(receipt.content().orElseThrow().value().orElseThrow().toByteArray())
                .isEqualTo(Proofs.value(SEQUENCE));
        assertThat(receipt.checkpoint().keyId()).contains("test-1");
        assertThat(receipt.judgement().orElseThrow().verifier()).isEqualTo("auditor-1");
        assertThat(receipt.judgement().orElseThrow().judgement()).isEqualTo(Proofs.VERIFIED);
    }

    @Test
    void withoutContentTheSignatureAloneIsShown() throws Exception {
        byte[] proof = golden("receipt-without-content.proof");
        OfReceipt receipt = (OfReceipt) Proofs.check().check(proof);

        assertThat(receipt.content()).isEmpty();
        assertThat(receipt.signature()).isEqualTo(Proofs.signature(SEQUENCE));
        assertThat(new String(proof, UTF_8)).doesNotContain(ProofText.base64(Proofs.value(SEQUENCE)));
    }

    @Test
    void aStatementShowsItsVerdictAndEachLine() throws Exception {
        OfStatement statement = (OfStatement) Proofs.check().check(Proofs.statement());

        assertThat(statement.verdict()).isEqualTo(Outcome.VERIFIED);
        assertThat(statement.verifier()).isEqualTo("auditor-1");
        assertThat(statement.lines())
                .contains(new Checked.Told("topic-id", "kXcLaTrsR0y8p9gIXqV0Zw"))
                .contains(new Checked.Told("summary", "VERIFIED: 4,900 events arrived once"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachFlippedBitIsRefusedWithItsLine(String name) {
        byte[] proof = golden(name);
        int line = 1;
        int lines = (int) new String(proof, UTF_8).lines().count();
        for (int at = 0; at < proof.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = proof.clone();
                flipped[at] ^= (byte) (1 << bit);
                int expected = line;
                assertThatThrownBy(() -> Proofs.check().check(flipped))
                        .as("byte %d, bit %d, line %d", at, bit, line)
                        .isInstanceOfSatisfying(RefusedProofException.class, refused -> {
                            if (expected < lines) {
                                assertThat(refused.line()).isEqualTo(expected);
                            }
                        });
            }
            line += proof[at] == '\n' ? 1 : 0;
        }
    }

    /** What hides the damage from the last line is found out by the hashes and signatures. */
    @ParameterizedTest
    @MethodSource("names")
    @Guards({"event-of-another-tree-is-refused", "forged-statement-is-refused"})
    void eachFlippedBitIsRefusedThoughTheLastLineFits(String name) {
        byte[] proof = golden(name);
        int end = new String(proof, ISO_8859_1).lastIndexOf("\nlines ");
        for (int at = 0; at < end; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = proof.clone();
                flipped[at] ^= (byte) (1 << bit);
                byte[] repaired = Proofs.repaired(flipped);
                assertThatThrownBy(() -> Proofs.check().check(repaired))
                        .as("byte %d, bit %d", at, bit)
                        .isInstanceOf(RefusedProofException.class);
            }
        }
    }

    @Test
    void eachLineThatIsMissingRepeatedOrCutIsRefused() {
        golden().forEach((name, proof) -> {
            List<String> lines = new String(proof, UTF_8).lines().toList();
            for (int i = 0; i < lines.size() - 1; i++) {
                String line = lines.get(i) + "\n";
                String all = new String(proof, UTF_8);
                assertRefused(Proofs.repaired(all.replace(line, "").getBytes(UTF_8)));
                assertRefused(Proofs.repaired(all.replace(line, line + line).getBytes(UTF_8)));
            }
            for (int size = 0; size < proof.length; size++) {
                byte[] cut = Arrays.copyOf(proof, size);
                assertRefused(cut);
            }
        });
    }

    /** Each line takes some hundred bytes once it is read, however short it is. */
    @Test
    @Guards("lines-of-a-proof-are-bounded")
    void ofMoreLinesThanAProofHasTheFirstBeyondIsRefused() {
        byte[] most = "a b\n".repeat(ProofReader.MOST_LINES).getBytes(UTF_8);
        assertRefused(most, "line " + ProofReader.MOST_LINES + " (a): the last line of a proof is");
        byte[] more = "a b\n".repeat(ProofReader.MOST_LINES + 1).getBytes(UTF_8);
        assertRefused(more, "line 1000001: a proof has at most 1000000 lines");
    }

    @Test
    void aStatementNeedsNoKeyOfUpstream() throws Exception {
        assertThat(new ProofCheck(TrustedKeys.none(), Proofs.VERIFIER_KEYS).check(Proofs.statement()))
                .isNotNull();
    }

    @Test
    void theVerifiersKeyVouchesForNoEventAndUpstreamsForNoVerdict() {
        byte[] receipt = golden("receipt.proof");
        assertThatThrownBy(() -> new ProofCheck(Proofs.VERIFIER_KEYS, Proofs.VERIFIER_KEYS).check(receipt))
                .hasMessageContaining("(checkpoint)")
                .hasMessageContaining("key id");
        assertThatThrownBy(() -> new ProofCheck(Proofs.UPSTREAM_KEYS, Proofs.UPSTREAM_KEYS).check(receipt))
                .hasMessageContaining("(verifier)");
        assertThatThrownBy(() -> new ProofCheck(Proofs.UPSTREAM_KEYS, Proofs.UPSTREAM_KEYS).check(Proofs.statement()))
                .hasMessageContaining("(verifier)");
    }

    @Test
    void anEventOfAnotherSequenceOrIntervalIsRefused() {
        Format2Checkpoint checkpoint = Proofs.checkpoint(6);
        AuditPath path = Proofs.leaves(checkpoint)
                .pathOf(SEQUENCE, Proofs.signature(SEQUENCE))
                .orElseThrow();
        byte[] signed = Proofs.signed(checkpoint);
        assertRefused(
                Receipt.ofSignature(SEQUENCE + 1, Proofs.signature(SEQUENCE), path, signed)
                        .unjudged(),
                "do not lead to the root");
        assertRefused(
                Receipt.ofSignature(Proofs.FIRST + 6, Proofs.signature(SEQUENCE), path, signed)
                        .unjudged(),
                "does not state sequence");
        assertRefused(
                Receipt.ofContent(SEQUENCE, null, Proofs.value(SEQUENCE), path, signed)
                        .unjudged(),
                "do not lead to the root");
    }
}
