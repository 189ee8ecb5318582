package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A public key and its name in notes, a <i>vkey</i> of <a href="https://c2sp.org/signed-note">c2sp.org/signed-note</a>.
 *
 * <pre>
 *   name+hex of the id+base64 of (type ‖ 32 bytes of the key)
 *   id = the first four bytes of SHA-256(name ‖ 0a ‖ type ‖ key)
 * </pre>
 */
public record NoteKey(String name, PublicKey key) {
    /** The type of keys that sign the text of a note with Ed25519. */
    private static final byte ED25519 = 1;

    private static final int ID_DIGITS = 8;

    /** Base64 in groups of four digits. */
    private static final Pattern VKEY = Pattern.compile(
            "[^+]+\\+[0-9a-f]{8}\\+((?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==))");

    /** @throws IllegalArgumentException if no note can have the name */
    public NoteKey {
        if (!isName(name)) {
            throw new IllegalArgumentException("a key's name is not empty, and has neither spaces nor '+'");
        }
    }

    /**
     * The key that signs notes with a name.
     *
     * @throws MalformedNoteException if no key has such a name, as the origin of a tree may be
     */
    public static NoteKey of(String name, PublicKey key) throws MalformedNoteException {
        if (!isName(name)) {
            throw new MalformedNoteException("'" + name + "' names no key: it is empty, or has spaces or a '+'");
        }
        return new NoteKey(name, key);
    }

    /** The id, which distinguishes keys of the same name. */
    public int id() {
        byte[] bytes = key.bytes();
        byte[] named = name.getBytes(UTF_8);
        byte[] all = ByteBuffer.allocate(named.length + 2 + bytes.length)
                .put(named)
                .put((byte) '\n')
                .put(ED25519)
                .put(bytes)
                .array();
        return ByteBuffer.wrap(TreeHash.SHA256.hash(all, all.length).toByteArray())
                .getInt();
    }

    /** The text, as other programs read it. */
    public String text() {
        byte[] bytes = key.bytes();
        byte[] typed =
                ByteBuffer.allocate(1 + bytes.length).put(ED25519).put(bytes).array();
        return name + "+" + HexFormat.of().toHexDigits(id(), ID_DIGITS) + "+"
                + Base64.getEncoder().encodeToString(typed);
    }

    /** What a text is as a vkey, for who expects another form of key; empty if it is none. */
    public static String described(String text) {
        Matcher vkey = VKEY.matcher(text);
        if (!vkey.matches()) {
            return "";
        }
        byte type = Base64.getDecoder().decode(vkey.group(1))[0];
        return type == ED25519
                ? "the vkey of one tree"
                : "a vkey of signature type " + type + ", and a notary signs with type " + ED25519 + ", Ed25519";
    }

    static boolean isName(String name) {
        return !name.isEmpty() && name.chars().noneMatch(one -> one == '+' || one <= ' ' || isSpace(one));
    }

    private static boolean isSpace(int character) {
        return Character.isSpaceChar(character) || Character.isWhitespace(character) || character == 0x85;
    }
}
