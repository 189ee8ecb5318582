package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the untrusted text of a proof, line by line, and checks only its form. */
final class ProofReader {
    /** More than nearly all proofs have: one names up to 10,000 streams, 10,000 findings, and 1,000 open ends of each partition. */
    static final int MOST_LINES = 1_000_000;

    private static final int DIGITS = 4;

    private final byte[] bytes;
    private final List<Line> lines;
    private int next;

    /**
     * A line of the text.
     *
     * @param number from 1
     * @param begin the position of its first byte
     */
    record Line(int number, String name, String value, int begin) {
        RefusedProofException refused(String reason) {
            return new RefusedProofException(number, name, reason);
        }
    }

    private ProofReader(byte[] bytes, List<Line> lines) {
        this.bytes = bytes;
        this.lines = lines;
    }

    /** The reader of a text that its last line confirms. */
    static ProofReader of(byte[] bytes) throws RefusedProofException {
        List<byte[]> raw = split(bytes);
        Line last = line(raw.size(), raw.get(raw.size() - 1), 0);
        if (!last.name().equals(ProofText.LINES)) {
            throw last.refused("the last line of a proof is '" + ProofText.LINES + " …'");
        }
        checkDigits(raw, last);
        List<Line> lines = new ArrayList<>();
        int begin = 0;
        for (byte[] one : raw.subList(0, raw.size() - 1)) {
            lines.add(line(lines.size() + 1, one, begin));
            begin += one.length + 1;
        }
        return new ProofReader(bytes, lines);
    }

    private static List<byte[]> split(byte[] bytes) throws RefusedProofException {
        List<byte[]> lines = new ArrayList<>();
        int begin = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                if (lines.size() == MOST_LINES) {
                    throw new RefusedProofException(MOST_LINES + 1, "", "a proof has at most " + MOST_LINES + " lines");
                }
                lines.add(Arrays.copyOfRange(bytes, begin, at));
                begin = at + 1;
            }
        }
        if (begin < bytes.length || lines.isEmpty()) {
            throw new RefusedProofException(lines.size() + 1, "", "it does not end with a line feed");
        }
        return lines;
    }

    private static void checkDigits(List<byte[]> raw, Line last) throws RefusedProofException {
        String digits = last.value();
        for (int i = 0; i < raw.size() - 1; i++) {
            int at = i * DIGITS;
            if (at + DIGITS > digits.length()
                    || !digits.substring(at, at + DIGITS).equals(ProofText.digitsOf(raw.get(i)))) {
                throw new RefusedProofException(
                        i + 1, nameOf(raw.get(i)), "it is not as it was written, or the last line is not");
            }
        }
        if (digits.length() != DIGITS * (raw.size() - 1)) {
            throw last.refused("it states other lines than there are");
        }
    }

    private static String nameOf(byte[] line) {
        String text = new String(line, UTF_8).split(" ", 2)[0];
        return text.length() <= 20 && text.matches("[a-z-]+") ? text : "";
    }

    private static Line line(int number, byte[] bytes, int begin) throws RefusedProofException {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new RefusedProofException(number, nameOf(bytes), "it is no UTF-8");
        }
        int space = text.indexOf(' ');
        if (space <= 0 || space == text.length() - 1 || !ProofText.isPlain(text)) {
            throw new RefusedProofException(number, nameOf(bytes), "it is no name and a text after a space");
        }
        return new Line(number, text.substring(0, space), text.substring(space + 1), begin);
    }

    Line next(String name) throws RefusedProofException {
        if (next == lines.size()) {
            throw new RefusedProofException(next + 1, ProofText.LINES, "'" + name + "' is missing before it");
        }
        Line line = lines.get(next);
        if (!line.name().equals(name)) {
            throw line.refused("'" + name + "' is expected here");
        }
        next++;
        return line;
    }

    /** The next line, if it has this name; else null. */
    @Nullable
    Line nextIf(String name) {
        return next < lines.size() && lines.get(next).name().equals(name) ? lines.get(next++) : null;
    }

    boolean atEnd() {
        return next == lines.size();
    }

    void end() throws RefusedProofException {
        if (!atEnd()) {
            throw lines.get(next).refused("nothing is expected here");
        }
    }

    /** The lines so far, without the version and the sentence. */
    List<Line> linesSoFar() {
        return lines.subList(2, next);
    }

    /** Reads the signature over all lines above, and returns the id of the trusted key that made it. */
    String verifier(TrustedKeys verifiers) throws RefusedProofException {
        Line verifier = next(ProofText.VERIFIER);
        Line signature = next(ProofText.SIGNATURE);
        byte[] signed = bytes(signature);
        if (!verifiers.contains(verifier.value())) {
            throw verifier.refused("no key of a verifier '" + verifier.value() + "' is given");
        }
        byte[] above = Arrays.copyOf(bytes, signature.begin());
        if (!verifiers.verifyExactly(verifier.value(), above, signed)) {
            throw signature.refused("it is not that of key '" + verifier.value() + "' over the lines before it");
        }
        return verifier.value();
    }

    /** The bytes of a base64 value, which must have the one form that a writer uses. */
    static byte[] bytes(Line line) throws RefusedProofException {
        try {
            byte[] bytes = Base64.getDecoder().decode(line.value());
            if (ProofText.base64(bytes).equals(line.value())) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw line.refused("it is no base64");
        }
        throw line.refused("it is no base64 in its one form");
    }

    /** As {@link #bytes}, for values that may be null or empty. */
    static byte @Nullable [] bytesOrNull(Line line) throws RefusedProofException {
        if (line.value().equals(ProofText.NULL)) {
            return null;
        }
        return line.value().equals(ProofText.EMPTY) ? new byte[0] : bytes(line);
    }

    static Hash hash(Line line) throws RefusedProofException {
        if (line.value().length() > 2 * 255 || !line.value().matches("([0-9a-f]{2})+")) {
            throw line.refused("it is no hash in lower-case hexadecimal digits");
        }
        return Hash.copyOf(HexFormat.of().parseHex(line.value()));
    }

    static long number(Line line) throws RefusedProofException {
        try {
            long number = Long.parseLong(line.value());
            if (number >= 0 && Long.toString(number).equals(line.value())) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw line.refused("it is no number");
        }
        throw line.refused("it is no number from 0 on in its one form");
    }
}
