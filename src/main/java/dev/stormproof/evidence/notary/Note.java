package dev.stormproof.evidence.notary;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.proof.tree.Hash;

/**
 * A note on a partition, as a record of the notes topic: its key is the origin, its value the signed checkpoint, and a header the state.
 */
public record Note(Origin origin, SignedNote signed, TreeHead head, NoteState state) {
    public record Written(Note note, Hash value, Hash stateBytes) {}

    static Written write(Origin origin, NotedTree tree, NoteState state, CheckpointKey key) {
        TreeHead head = new TreeHead(origin.text(), tree.size(), tree.root());
        SignedNote signed = SignedNote.sign(head.text(), origin.text(), key);
        byte[] value = signed.encode();
        return new Written(
                new Note(origin, signed, head, state), Hash.copyOf(value), Hash.copyOf(state.encode(value, key)));
    }

    /**
     * The note in the bytes of a record.
     *
     * @param key the notary's public key
     * @throws MalformedNoteException if it is malformed, or the key did not sign all of it
     */
    public static Note read(byte[] value, byte[] stateBytes, PublicKey key) throws MalformedNoteException {
        SignedNote signed = SignedNote.parse(value);
        TreeHead head = TreeHead.parse(signed.text());
        Origin origin = Origin.parse(head.origin());
        NoteKey named = NoteKey.of(head.origin(), key);
        if (!signed.isSignedBy(named)) {
            throw new MalformedNoteException("a note on " + origin + " that the notary's key did not sign");
        }
        NoteState state = NoteState.decode(stateBytes, value, named);
        if (state.size() != head.size() || !state.tree().root().equals(head.root())) {
            throw new MalformedNoteException("a note on " + origin + " whose state is of another tree");
        }
        return new Note(origin, signed, head, state);
    }

    public Hash root() {
        return head.root();
    }
}
