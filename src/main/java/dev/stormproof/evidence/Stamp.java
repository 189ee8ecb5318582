package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.ProofReader.Line;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * The time stamp of a proof: a token of RFC 3161 on all bytes before its line, which is the last but one. Whether it holds is not decided
 * here.
 *
 * @param imprint the SHA-256 of what it must be of
 * @param token DER
 */
public record Stamp(Hash imprint, Hash token) {
    static final String LINE = "time-stamp";

    /** The room that a proof leaves for it. */
    static final int ROOM_BYTES = 1 << 17;

    /** The SHA-256 of a proof without its last line: what a time stamp on it is of. */
    public static Hash imprint(byte[] proof) {
        int end = lastLine(proof);
        return TreeHash.SHA256.hash(proof, end);
    }

    /** The proof with a time stamp. */
    public static byte[] add(byte[] proof, byte[] token) {
        int end = lastLine(proof);
        String digits = new String(proof, end, proof.length - end - 1, UTF_8);
        byte[] line = (LINE + " " + ProofText.base64(token)).getBytes(UTF_8);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(proof, 0, end);
        all.writeBytes(line);
        all.write('\n');
        all.writeBytes((digits + ProofText.digitsOf(line) + "\n").getBytes(UTF_8));
        return all.toByteArray();
    }

    private static int lastLine(byte[] proof) {
        int at = proof.length - 2;
        while (at >= 0 && proof[at] != '\n') {
            at--;
        }
        return at + 1;
    }

    /** The time stamp of a proof; empty if it has none. */
    public static Optional<Stamp> of(byte[] proof) throws RefusedProofException {
        Optional<Line> line =
                ProofReader.of(proof).last().filter(last -> last.name().equals(LINE));
        if (line.isEmpty()) {
            return Optional.empty();
        }
        byte[] before = Arrays.copyOf(proof, line.get().begin());
        return Optional.of(
                new Stamp(TreeHash.SHA256.hash(before, before.length), Hash.copyOf(ProofReader.bytes(line.get()))));
    }

    /** Passes over the line, if it is there. */
    static void skip(ProofReader in) throws RefusedProofException {
        Line line = in.nextIf(LINE);
        if (line != null) {
            byte[] unused = ProofReader.bytes(line);
        }
    }
}
