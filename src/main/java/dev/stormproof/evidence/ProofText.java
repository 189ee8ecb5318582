package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.TreeHash;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The text of a proof, line by line; docs/EVIDENCE.md specifies it.
 *
 * <pre>
 *   name SP value LF
 *   …
 *   verifier key-id LF
 *   signature base64 LF      Ed25519 over all bytes before this line
 *   lines 1f3a… LF           of each line before, four digits of its hash: they name a damaged line
 * </pre>
 */
final class ProofText {
    static final String VERIFIER = "verifier";
    static final String SIGNATURE = "signature";
    static final String LINES = "lines";

    /** The value for null, in place of base64. */
    static final String NULL = "-";

    /** The value for no bytes. */
    static final String EMPTY = "=";

    private static final int DIGEST_BYTES = 2;
    private static final int DIGITS = 2 * DIGEST_BYTES;

    private final int mostBytes;
    private final int mostLines;
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final StringBuilder digits = new StringBuilder();

    ProofText() {
        this(ProofCheck.MAX_SIZE_BYTES, ProofReader.MOST_LINES);
    }

    ProofText(int mostBytes, int mostLines) {
        this.mostBytes = mostBytes;
        this.mostLines = mostLines;
    }

    /**
     * Adds a line; {@code value} is one line of text, and not empty.
     *
     * @throws OversizedProofException if there is no room for it
     */
    void add(String name, String value) {
        byte[] line = (name + " " + value).getBytes(UTF_8);
        if (value.isEmpty() || !isPlain(value)) {
            throw new IllegalArgumentException(name + ": '" + value + "' is no line of text");
        }
        demandRoom(line.length);
        append(line);
        digits.append(digitsOf(line));
    }

    private void demandRoom(long lineBytes) {
        long before = (long) text.size() + digits.length();
        long lastLine = (long) LINES.length() + " \n".length();
        if (before + lineBytes + "\n".length() + DIGITS + lastLine > mostBytes) {
            throw new OversizedProofException("more than " + mostBytes + " bytes");
        }
        if (digits.length() / DIGITS + 2 > mostLines) {
            throw new OversizedProofException("more than " + mostLines + " lines");
        }
    }

    private void append(byte[] line) {
        text.writeBytes(line);
        text.write('\n');
    }

    void add(String name, long value) {
        add(name, Long.toString(value));
    }

    void addBytes(String name, byte @Nullable [] bytes) {
        if (bytes != null) {
            // Before the text is made.
            demandRoom(name.length() + 1 + (bytes.length + 2L) / 3 * 4);
        }
        add(name, bytes == null ? NULL : bytes.length == 0 ? EMPTY : base64(bytes));
    }

    /** The bytes of a proof that only upstream signed. */
    byte[] unsigned() {
        append((LINES + " " + digits).getBytes(UTF_8));
        return text.toByteArray();
    }

    byte[] signed(CheckpointKey verifier) {
        add(VERIFIER, verifier.id());
        byte[] said = text.toByteArray();
        add(SIGNATURE, base64(verifier.sign(said, said.length)));
        return unsigned();
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** What the last line has for another line. */
    static String digitsOf(byte[] line) {
        return HexFormat.of().formatHex(TreeHash.SHA256.hash(line, line.length).toByteArray(), 0, DIGEST_BYTES);
    }

    /** True if a line may have every character. */
    static boolean isPlain(String text) {
        return text.chars().allMatch(character -> character >= 0x20 && character != 0x7f);
    }
}
