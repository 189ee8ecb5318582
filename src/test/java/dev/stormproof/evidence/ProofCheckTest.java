package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
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
                "receipt-of-a-violated-interval.proof",
                Proofs.receipt(checkpoint, SEQUENCE).judged(Proofs.judgement(Outcome.VIOLATED), Proofs.VERIFIER));
        proofs.put(
                "receipt-unjudged.proof", Proofs.receipt(checkpoint, SEQUENCE).unjudged());
        proofs.put(
                "receipt-without-content.proof",
                Proofs.receiptWithoutContent(checkpoint, SEQUENCE).unjudged());
        proofs.put("receipt-of-nulls.proof", receiptOfNulls(0));
        proofs.put("receipt-of-a-far-time.proof", receiptOfNulls(Long.MAX_VALUE));
        proofs.put("statement.proof", Proofs.statement());
        proofs.put("statement-of-each-line.proof", Proofs.statementOfEachLine());
        proofs.put("statement-of-a-weak-range.proof", Proofs.statementOfAWeakRange());
        proofs.put("statement-of-strong-streams.proof", Proofs.statementOfStrongStreams());
        return proofs;
    }

    private static byte[] receiptOfNulls(long createdAtMillis) {
        Format2Checkpoint checkpoint = Proofs.checkpointOfNulls(SEQUENCE, createdAtMillis);
        return Receipt.ofContent(
                        SEQUENCE,
                        null,
                        new byte[0],
                        new AuditPath(List.of()),
                        Proofs.named(checkpoint),
                        Proofs.signed(checkpoint))
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
        proofs.putAll(otherCheckpoints());
        proofs.putAll(otherSignatures());
        return proofs;
    }

    /** Receipts whose checkpoint breaks docs/FORMAT.md, section 4, and is signed. */
    private static Map<String, byte[]> otherCheckpoints() {
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        proofs.put("an-unknown-flag", receiptOf(at(5, 0x14)));
        proofs.put("leaves-that-are-not-there", receiptOf(at(5, 6)));
        proofs.put("no-emitter", receiptOf(at(9, 0, 0, 0, 0, 0, 0, 0, 0)));
        proofs.put("a-partition-below-0", receiptOf(at(17, 0x80)));
        proofs.put("a-time-before-1970", receiptOf(at(41, 0x80)));
        proofs.put("a-deadline-below-0", receiptOf(at(49, 0x80)));
        proofs.put("a-hint-below-no-hint", receiptOf(at(64, 0xfe)));
        proofs.put("a-topic-that-is-none", receiptOf(at(69, '/')));
        proofs.put("a-name-on-two-lines", receiptOf(at(76, '\n')));
        proofs.put("a-name-that-is-no-text", receiptOf(at(76, 0xff)));
        proofs.put("bytes-behind-the-body", receiptOf(body -> Arrays.copyOf(body, body.length + 1)));
        proofs.put(
                "a-number-0-amid-a-stream",
                receiptOf(body -> at(21, 0, 0, 0, 0, 0, 0, 0, 0).apply(Arrays.copyOf(body, body.length - 32))));
        proofs.put("ranges-out-of-order", receiptOfRanges(104, 105, 101, 102));
        proofs.put("a-range-of-nothing", receiptOfRanges(101, 102, 104, 104));
        proofs.put("a-range-behind-the-end", receiptOfRanges(101, 102, 200, 201));
        proofs.put("a-short-signature", receiptOfAShortSignature());
        Map<String, byte[]> named = new LinkedHashMap<>();
        proofs.forEach((name, proof) -> named.put("receipt-of-" + name + ".proof", proof));
        return named;
    }

    private static byte[] receiptOf(UnaryOperator<byte[]> change) {
        return receiptOf(Proofs.checkpoint(6), change);
    }

    private static byte[] receiptOf(Format2Checkpoint checkpoint, UnaryOperator<byte[]> change) {
        Hash signature = Proofs.signature(SEQUENCE);
        AuditPath path = Proofs.leaves(checkpoint).pathOf(SEQUENCE, signature).orElseThrow();
        byte[] signed = Proofs.signedAnew(Proofs.signed(checkpoint), change);
        return Receipt.ofSignature(SEQUENCE, signature, path, Proofs.named(checkpoint), signed)
                .unjudged();
    }

    /** The event has its place in the tree, whatever the order of the ranges. */
    private static byte[] receiptOfRanges(long... edges) {
        List<SequenceRange> two = List.of(new SequenceRange(101, 102), new SequenceRange(104, 105));
        return receiptOf(Proofs.checkpoint(6, TreeHash.SHA256, two), body -> {
            ByteBuffer ranges = ByteBuffer.wrap(body, 82, edges.length * Long.BYTES);
            Arrays.stream(edges).forEach(ranges::putLong);
            return body;
        });
    }

    /** Of algorithm 3, whose signatures have 32 bytes. */
    private static byte[] receiptOfAShortSignature() {
        Hash signature = Hash.copyOf(new byte[5]);
        byte[] root = AuditPath.leaf(SEQUENCE, signature);
        Format2Checkpoint checkpoint = Proofs.checkpointOfNulls(SEQUENCE, 0);
        byte[] signed = Proofs.signedAnew(Proofs.signed(checkpoint), body -> {
            body[8] = 5;
            System.arraycopy(root, 0, body, 75, root.length);
            return body;
        });
        return Receipt.ofSignature(SEQUENCE, signature, new AuditPath(List.of()), Proofs.named(checkpoint), signed)
                .unjudged();
    }

    /** What src/test/python/sign_with_torsion.py signed. */
    private static Map<String, byte[]> otherSignatures() {
        HexFormat hex = HexFormat.of();
        byte[] ofReceipt = hex.parseHex("d6a67d3eca3a6ebdfc5660a51c3271357d14f9620d0bfc02a018434265eea839"
                + "40fd34e06c63758188a22f91949c33c6914ead54fe8892198f767ca6dd19710a");
        byte[] ofStatement = hex.parseHex("33f56dacfe6ec8a671f8e28d4bc0875bc9c3f95d511e62cfac33d0b375dcd922"
                + "7ad095440289231a6f683f19182c14e4f12b156238ad8eb700938c143e74f60b");
        byte[] signed = Proofs.signed(Proofs.checkpoint(6));
        System.arraycopy(ofReceipt, 0, signed, signed.length - 64 - Receipt.CHECKSUM_BYTES, 64);
        byte[] sealed = Arrays.copyOf(signed, signed.length - Receipt.CHECKSUM_BYTES);
        String receipt = new String(golden("receipt-unjudged.proof"), UTF_8);
        String statement = new String(Proofs.statement(), UTF_8);
        String other = receipt.replaceFirst("\ncheckpoint .*", "\ncheckpoint " + ProofText.base64(sealed));
        String another = statement.replaceFirst("\nsignature .*", "\nsignature " + ProofText.base64(ofStatement));
        return Map.of(
                "receipt-of-a-signature-with-torsion.proof", Proofs.repaired(other.getBytes(UTF_8)),
                "statement-of-a-signature-with-torsion.proof", Proofs.repaired(another.getBytes(UTF_8)));
    }

    private static UnaryOperator<byte[]> at(int begin, int... bytes) {
        return body -> {
            for (int i = 0; i < bytes.length; i++) {
                body[begin + i] = (byte) bytes[i];
            }
            return body;
        };
    }

    /** What protects against accidents alone. */
    static Map<String, byte[]> weak() {
        Format2Checkpoint checkpoint = Proofs.checkpoint(1, TreeHash.XXH3, List.of());
        Receipt receipt = Receipt.ofSignature(
                Proofs.FIRST,
                Proofs.signature(Proofs.FIRST),
                new AuditPath(List.of()),
                Proofs.named(checkpoint),
                Proofs.signed(checkpoint));
        return Map.of("receipt-of-a-weak-tree.proof", receipt.unjudged());
    }

    /** What has another form than docs/EVIDENCE.md says, signed by whoever would have to sign it. */
    private static Map<String, byte[]> malformed() {
        Map<String, byte[]> proofs = new LinkedHashMap<>();
        byte[] nulls = golden("receipt-of-nulls.proof");
        proofs.put("receipt-of-no-bytes-and-null.proof", refitted(nulls, "\nvalue =\n", "\nvalue -=\n"));
        proofs.put("receipt-of-a-line-more.proof", refitted(golden("receipt.proof"), "\nlines ", "\nmore x\nlines "));
        proofs.put(
                "receipt-of-an-offset-too-large.proof",
                Proofs.resigned(golden("receipt.proof"), "\noffset 4711\n", "\noffset 9223372036854775808\n"));
        proofs.put(
                "receipt-of-another-sentence.proof",
                refitted(golden("receipt-unjudged.proof"), "event number 103", "event number 104"));
        proofs.put(
                "receipt-of-another-sentence-that-is-signed.proof",
                Proofs.resigned(golden("receipt.proof"), "Not covered: other events", "Not covered: no events"));
        byte[] statement = Proofs.statement();
        proofs.put("statement-of-a-line-more.proof", refitted(statement, "\nlines ", "\nmore x\nlines "));
        Map.of(
                        "of-no-partition", List.of("\npartition 0 log=0-9000 audited=100-5000", ""),
                        "of-lines-out-of-order", List.of("\npartition 0", "\nopen partition=0\npartition 0"),
                        "of-an-unknown-line", List.of("\nnot-judged ", "\nnot-known "),
                        "of-no-number", List.of("\nevents 4900", "\nevents x"),
                        "of-a-number-too-large", List.of("\nproven 4900", "\nproven 9223372036854775808"),
                        "of-two-beginnings", List.of("\nuntil ", "\nsince 2025-11-01T00:00:00Z\nuntil "),
                        "of-more-in-words", List.of("\nnot-judged ", "\nmore-streams many\nnot-judged "),
                        "of-more-twice", List.of("\nnot-judged ", "\nmore-findings 1\nmore-findings 2\nnot-judged "),
                        "of-another-demand", List.of("\ndemanded tampering", "\ndemanded nothing"),
                        "of-another-sentence", List.of(" 4,900 of 4,900 events ", " 5,900 of 5,900 events "))
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
        "receipt-of-no-bytes-and-null, line 5 (value)",
        "receipt-of-an-offset-too-large, line 15 (offset)",
        "receipt-of-another-sentence, line 2 (sentence)",
        "receipt-of-another-sentence-that-is-signed, line 2 (sentence)",
        "statement-of-another-sentence, line 2 (sentence)",
        "statement-of-lines-out-of-order, line 12 (open)",
        "statement-of-an-unknown-line, line 14 (not-known)",
        "statement-of-no-number, line 15 (events)",
        "statement-of-a-number-too-large, line 16 (proven)",
        "statement-of-two-beginnings, line 10 (since)",
        "statement-of-more-twice, line 15 (more-findings)",
        "statement-of-no-partition, line 12 (stream)",
        "statement-of-another-demand, line 8 (demanded)",
        "statement-of-more-in-words, line 14 (more-streams)"
    })
    void whatIsSignedInAnotherFormIsRefusedAtItsLine(String name, String place) {
        assertRefused(refused(name + ".proof"), place + ": ");
    }

    @Test
    void aLineBehindTheSignatureIsRefused() {
        assertRefused(refused("receipt-of-a-line-more.proof"), "(more): nothing is expected here");
        assertRefused(refused("statement-of-a-line-more.proof"), "line 21 (more): nothing is expected here");
    }

    @Test
    void whatIsSignedAndProtectsAgainstAccidentsAloneProvesNothing() {
        assertRefused(refused("receipt-of-a-weak-tree.proof"), "(checkpoint)", "protects against accidents alone");
    }

    @Test
    void aCheckpointOfAnotherFormProvesNothing() {
        assertThat(otherCheckpoints()).hasSize(16).allSatisfy((name, proof) -> assertRefused(proof, "(checkpoint)"));
    }

    /** Bouncy Castle alone takes them: others compare S·B with R + k·A. */
    @Test
    void aSignatureThatOthersRefuseProvesNothing() {
        assertRefused(refused("receipt-of-a-signature-with-torsion.proof"), "(checkpoint)");
        assertRefused(refused("statement-of-a-signature-with-torsion.proof"), "(signature)");
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
                .contains(new Checked.NamedLine("topic-id", "kXcLaTrsR0y8p9gIXqV0Zw"))
                .contains(new Checked.NamedLine("summary", "VERIFIED: 4,900 events arrived once"));
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
        Format2Checkpoint named = Proofs.named(checkpoint);
        assertRefused(
                Receipt.ofSignature(SEQUENCE + 1, Proofs.signature(SEQUENCE), path, named, signed)
                        .unjudged(),
                "do not lead to the root");
        assertRefused(
                Receipt.ofSignature(Proofs.FIRST + 6, Proofs.signature(SEQUENCE), path, named, signed)
                        .unjudged(),
                "does not state sequence");
        assertRefused(
                Receipt.ofContent(SEQUENCE, null, Proofs.value(SEQUENCE), path, named, signed)
                        .unjudged(),
                "do not lead to the root");
    }
}
