package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import java.util.Base64;

/**
 * The text of a checkpoint of <a href="https://c2sp.org/tlog-checkpoint">c2sp.org/tlog-checkpoint</a>: origin, size and root, a line each.
 * Elsewhere in this program, a checkpoint is something else.
 */
public record TreeHead(String origin, long size, Hash root) {
    /** The text, which ends with a line feed. */
    public String text() {
        return origin + "\n" + size + "\n" + Base64.getEncoder().encodeToString(root.toByteArray()) + "\n";
    }

    /** Reads a text; lines after the third are ignored. */
    public static TreeHead parse(String text) throws MalformedNoteException {
        String[] lines = text.split("\n", 4);
        if (lines.length < 4 || lines[0].isEmpty()) {
            throw new MalformedNoteException("a checkpoint of fewer lines than origin, size and root");
        }
        long size;
        byte[] root;
        try {
            size = Long.parseLong(lines[1]);
            root = Base64.getDecoder().decode(lines[2]);
        } catch (IllegalArgumentException e) {
            throw new MalformedNoteException("a checkpoint of '" + lines[0] + "': " + e.getMessage());
        }
        TreeHead head = new TreeHead(lines[0], size, Hash.copyOf(root));
        if (size < 0 || root.length != NotedTree.HASH_BYTES || !text.startsWith(head.text())) {
            throw new MalformedNoteException(
                    "a checkpoint of '" + lines[0] + "' whose size or root is not in its one form");
        }
        return head;
    }
}
