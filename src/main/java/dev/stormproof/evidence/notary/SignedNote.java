package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * A text with signatures of <a href="https://c2sp.org/signed-note">c2sp.org/signed-note</a>.
 *
 * <pre>
 *   text LF
 *   …
 *   LF
 *   — name SP base64 of (key id, 4 bytes ‖ signature) LF
 *   …
 * </pre>
 *
 * @param text ends with a line feed
 */
public record SignedNote(String text, List<Signature> signatures) {
    /** The largest note that is read. */
    public static final int MOST_BYTES = 1 << 20;

    static final int MOST_SIGNATURES = 100;

    private static final String SIGNATURE = "— ";
    private static final int ID_BYTES = Integer.BYTES;

    public SignedNote {
        signatures = List.copyOf(signatures);
    }

    /** A signature: the name and id of its key, and its bytes. */
    public record Signature(String name, int keyId, Hash bytes) {
        String line() {
            byte[] all = ByteBuffer.allocate(ID_BYTES + bytes.sizeBytes())
                    .putInt(keyId)
                    .put(bytes.toByteArray())
                    .array();
            return SIGNATURE + name + " " + Base64.getEncoder().encodeToString(all) + "\n";
        }

        /** True if it has the key's name and id. */
        boolean isOf(NoteKey key) {
            return keyId == key.id() && name.equals(key.name());
        }

        /** Reads a line, without its line feed. */
        static Signature parse(String line) throws MalformedNoteException {
            int space = line.indexOf(' ', SIGNATURE.length());
            if (!line.startsWith(SIGNATURE)
                    || space < 0
                    || !NoteKey.isName(line.substring(SIGNATURE.length(), space))) {
                throw new MalformedNoteException("'" + line + "' is no line '— name base64' of a signature");
            }
            byte[] all;
            try {
                all = Base64.getDecoder().decode(line.substring(space + 1));
            } catch (IllegalArgumentException e) {
                throw new MalformedNoteException("'" + line + "': " + e.getMessage());
            }
            if (all.length <= ID_BYTES) {
                throw new MalformedNoteException("'" + line + "' holds no signature");
            }
            Signature signature = new Signature(
                    line.substring(SIGNATURE.length(), space),
                    ByteBuffer.wrap(all).getInt(),
                    Hash.copyOf(all, ID_BYTES, all.length - ID_BYTES));
            if (!signature.line().equals(line + "\n")) {
                throw new MalformedNoteException("'" + line + "' is not base64 in its one form");
            }
            return signature;
        }
    }

    static SignedNote sign(String text, String name, CheckpointKey key) {
        byte[] bytes = text.getBytes(UTF_8);
        NoteKey named = new NoteKey(name, key.publicKey());
        Signature signature = new Signature(name, named.id(), Hash.copyOf(key.sign(bytes, bytes.length)));
        return new SignedNote(text, List.of(signature));
    }

    /** Reads untrusted bytes. */
    public static SignedNote parse(byte[] bytes) throws MalformedNoteException {
        if (bytes.length > MOST_BYTES) {
            throw new MalformedNoteException("a note of " + bytes.length + " bytes; at most " + MOST_BYTES);
        }
        String all;
        try {
            all = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedNoteException("a note that is not UTF-8");
        }
        if (all.chars().anyMatch(one -> one < ' ' && one != '\n')) {
            throw new MalformedNoteException("a note with a control character");
        }
        int blank = all.lastIndexOf("\n\n");
        if (blank < 0 || !all.endsWith("\n")) {
            throw new MalformedNoteException("a note without an empty line before its signatures");
        }
        List<Signature> signatures = new ArrayList<>();
        String lines = all.substring(blank + 2);
        for (int at = 0; at < lines.length(); ) {
            int end = lines.indexOf('\n', at);
            if (signatures.size() == MOST_SIGNATURES) {
                throw new MalformedNoteException("a note with more than " + MOST_SIGNATURES + " signatures");
            }
            signatures.add(Signature.parse(lines.substring(at, end)));
            at = end + 1;
        }
        if (signatures.isEmpty()) {
            throw new MalformedNoteException("a note without a signature");
        }
        return new SignedNote(all.substring(0, blank + 1), signatures);
    }

    public byte[] encode() {
        StringBuilder all = new StringBuilder(text).append('\n');
        signatures.forEach(signature -> all.append(signature.line()));
        return all.toString().getBytes(UTF_8);
    }

    /**
     * True if a key signed it; other signatures, of any type, are ignored.
     *
     * @throws MalformedNoteException if a signature bears the key's name and id and is not its own
     */
    public boolean isSignedBy(NoteKey key) throws MalformedNoteException {
        return isSigned(key, key.key()::verify);
    }

    /**
     * True if the Ed25519 signature line verifies under the C2SP rules, as other programs check it.
     *
     * @throws MalformedNoteException if a signature bears the key's name and id and is not its own
     */
    public boolean isSignedForAllBy(NoteKey key) throws MalformedNoteException {
        return isSigned(key, key.key()::verifyExactly);
    }

    private boolean isSigned(NoteKey key, BiPredicate<byte[], byte[]> verified) throws MalformedNoteException {
        byte[] bytes = text.getBytes(UTF_8);
        boolean signed = false;
        for (Signature signature : signatures) {
            if (signature.isOf(key)) {
                if (!verified.test(bytes, signature.bytes().toByteArray())) {
                    throw new MalformedNoteException("the signature of '" + key.name() + "' is not over this text");
                }
                signed = true;
            }
        }
        return signed;
    }
}
