package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.tree.Hash;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A proof that a note continues an earlier tree, in the form for witnesses: the body of {@code add-checkpoint} of <a
 * href="https://c2sp.org/tlog-witness">c2sp.org/tlog-witness</a>.
 *
 * <pre>
 *   old N                 the earlier size
 *   base64 of a hash      of the consistency proof
 *   …
 *                         an empty line, and the later note as it is
 * </pre>
 */
public record Extension(long oldSize, List<Hash> proof, SignedNote note) {
    private static final String OLD = "old ";

    public Extension {
        proof = List.copyOf(proof);
    }

    public byte[] encode() {
        StringBuilder text = new StringBuilder(OLD).append(oldSize).append('\n');
        proof.forEach(hash -> text.append(Base64.getEncoder().encodeToString(hash.toByteArray()))
                .append('\n'));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(text.append('\n').toString().getBytes(UTF_8));
        all.writeBytes(note.encode());
        return all.toByteArray();
    }

    /** True if bytes begin like such a proof. */
    public static boolean isIn(byte[] bytes) {
        return bytes.length > OLD.length() && new String(bytes, 0, OLD.length(), UTF_8).equals(OLD);
    }

    /** Reads untrusted bytes. */
    public static Extension parse(byte[] bytes) throws MalformedNoteException {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedNoteException("a consistency proof that is not UTF-8");
        }
        int blank = text.indexOf("\n\n");
        String[] lines = blank < 0 ? new String[0] : text.substring(0, blank).split("\n", TlogProof.MOST_HASHES + 2);
        if (lines.length == 0 || lines.length > 1 + TlogProof.MOST_HASHES || !lines[0].startsWith(OLD)) {
            throw new MalformedNoteException("no 'old N', hashes, an empty line and a checkpoint");
        }
        try {
            List<Hash> proof = new ArrayList<>();
            for (String line : List.of(lines).subList(1, lines.length)) {
                proof.add(Hash.copyOf(Base64.getDecoder().decode(line)));
            }
            Extension extension = new Extension(
                    Long.parseLong(lines[0].substring(OLD.length())),
                    proof,
                    SignedNote.parse(text.substring(blank + 2).getBytes(UTF_8)));
            if (extension.oldSize >= 0 && text.equals(new String(extension.encode(), UTF_8))) {
                return extension;
            }
        } catch (IllegalArgumentException e) {
            throw new MalformedNoteException("a consistency proof: " + e.getMessage());
        }
        throw new MalformedNoteException("a consistency proof that is not in its one form");
    }
}
