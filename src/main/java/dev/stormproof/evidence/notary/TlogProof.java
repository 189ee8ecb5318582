package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.AuditPath;
import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proof that a record is in the tree of a note, of <a href="https://c2sp.org/tlog-proof">c2sp.org/tlog-proof@v1</a>.
 *
 * <pre>
 *   c2sp.org/tlog-proof@v1
 *   extra base64          here the bytes of the leaf, see {@link RecordLeaf}; may be missing
 *   index N
 *   base64 of a hash      of the path, from the leaf up
 *   …
 *                         an empty line, and the note as it is
 * </pre>
 */
public record TlogProof(@Nullable Hash extra, long index, List<Hash> path, SignedNote note) {
    static final String VERSION = "c2sp.org/tlog-proof@v1";
    private static final String EXTRA = "extra ";
    private static final String INDEX = "index ";
    static final int MOST_HASHES = 63;

    public TlogProof {
        path = List.copyOf(path);
    }

    /** True if bytes begin like such a proof. */
    public static boolean isIn(byte[] bytes) {
        byte[] version = (VERSION + "\n").getBytes(UTF_8);
        return bytes.length >= version.length
                && ByteBuffer.wrap(bytes, 0, version.length).equals(ByteBuffer.wrap(version));
    }

    public byte[] encode() {
        StringBuilder text = new StringBuilder(VERSION).append('\n');
        if (extra != null) {
            text.append(EXTRA).append(base64(extra)).append('\n');
        }
        text.append(INDEX).append(index).append('\n');
        path.forEach(hash -> text.append(base64(hash)).append('\n'));
        text.append('\n');
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(text.toString().getBytes(UTF_8));
        all.writeBytes(note.encode());
        return all.toByteArray();
    }

    /** Reads untrusted bytes. */
    public static TlogProof parse(byte[] bytes) throws MalformedNoteException {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedNoteException("a proof that is not UTF-8");
        }
        int blank = text.indexOf("\n\n");
        if (!isIn(bytes) || blank < 0) {
            throw new MalformedNoteException("no " + VERSION + ", or one without an empty line before its checkpoint");
        }
        String[] lines = text.substring(0, blank).split("\n", MOST_HASHES + 4);
        int at = 1;
        Hash extra = null;
        if (at < lines.length && lines[at].startsWith(EXTRA)) {
            extra = hash(lines[at].substring(EXTRA.length()), at);
            at++;
        }
        if (at >= lines.length || !lines[at].startsWith(INDEX)) {
            throw new MalformedNoteException("line " + (at + 1) + " of the proof is no '" + INDEX + "N'");
        }
        long index = number(lines[at].substring(INDEX.length()), at);
        at++;
        List<Hash> path = new ArrayList<>();
        for (; at < lines.length; at++) {
            Hash one = hash(lines[at], at);
            if (one.sizeBytes() != NotedTree.HASH_BYTES || path.size() == MOST_HASHES) {
                throw new MalformedNoteException(
                        "line " + (at + 1) + " of the proof is no hash of 32 bytes, or too many");
            }
            path.add(one);
        }
        return new TlogProof(
                extra, index, path, SignedNote.parse(text.substring(blank + 2).getBytes(UTF_8)));
    }

    /**
     * The tree head of which the proof shows a leaf to be part.
     *
     * @param leafData the bytes of the leaf
     * @param key the notary's public key; the checkpoint may name any origin
     * @throws MalformedNoteException if it does not
     */
    public TreeHead check(byte[] leafData, PublicKey key) throws MalformedNoteException {
        TreeHead head = TreeHead.parse(note.text());
        if (!note.isSignedForAllBy(NoteKey.of(head.origin(), key))) {
            throw new MalformedNoteException("the checkpoint of '" + head.origin() + "' is not signed by this key");
        }
        if (index >= head.size()) {
            throw new MalformedNoteException("index " + index + " of a tree of " + head.size() + " leaves");
        }
        byte[] leaf = new byte[NotedTree.HASH_BYTES];
        TreeHash.SHA256.newHasher().leaf(leafData, 0, leafData.length, leaf, 0);
        if (!new AuditPath(path)
                .root(leaf, index, head.size())
                .filter(head.root()::equals)
                .isPresent()) {
            throw new MalformedNoteException("its path does not lead from the record to the checkpoint's root");
        }
        return head;
    }

    private static String base64(Hash bytes) {
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static Hash hash(String text, int line) throws MalformedNoteException {
        try {
            Hash bytes = Hash.copyOf(Base64.getDecoder().decode(text));
            if (base64(bytes).equals(text) && bytes.sizeBytes() > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new MalformedNoteException("line " + (line + 1) + " of the proof: " + e.getMessage());
        }
        throw new MalformedNoteException("line " + (line + 1) + " of the proof is not base64 in its one form");
    }

    private static long number(String text, int line) throws MalformedNoteException {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && Long.toString(number).equals(text)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new MalformedNoteException("line " + (line + 1) + " of the proof: '" + text + "' is no number");
        }
        throw new MalformedNoteException("line " + (line + 1) + " of the proof: '" + text + "' is no number from 0 on");
    }
}
