package dev.stormproof.witness;

import dev.stormproof.notary.MalformedNoteException;
import dev.stormproof.notary.NoteKey;
import java.net.URI;

/**
 * A witness of <a href="https://c2sp.org/tlog-witness">c2sp.org/tlog-witness</a>.
 *
 * @param key of type {@link NoteKey#COSIGNATURE}
 * @param submission the prefix of its addresses, to which {@code /add-checkpoint} is appended
 */
public record Witness(NoteKey key, URI submission) {
    /**
     * The witness of a text {@code vkey URL}, with a space between.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Witness parse(String text) {
        String[] parts = text.strip().split(" +", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is none of 'vkey URL', a space between");
        }
        URI url = URI.create(parts[1]);
        if (url.getHost() == null
                || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                || url.getQuery() != null
                || url.getFragment() != null) {
            throw new IllegalArgumentException("'" + parts[1] + "' is no http or https address of a witness");
        }
        return new Witness(key(parts[0]), url);
    }

    /**
     * The key of a witness's vkey.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static NoteKey key(String vkey) {
        try {
            NoteKey key = NoteKey.parse(vkey);
            if (key.type() == NoteKey.COSIGNATURE) {
                return key;
            }
        } catch (MalformedNoteException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        throw new IllegalArgumentException("key '" + vkey + "' signs notes, and is no witness's: its type is not 4");
    }

    /** Where notes are sent. */
    URI addCheckpoint() {
        String prefix = submission.toString();
        return URI.create(
                (prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix) + "/add-checkpoint");
    }

    @Override
    public String toString() {
        return key.name();
    }
}
