package dev.stormproof.witness;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.notary.MalformedNoteException;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.SignedNote;

/** What a witness answered, or why it did not. */
sealed interface Answer {
    /** It signed. */
    record Cosigned(SignedNote note) implements Answer {}

    /** It has seen another size than the one that the request is from. */
    record Conflict(long size) implements Answer {}

    /**
     * It does not sign this.
     *
     * @param reason what it says, and what to do
     */
    record Refused(String reason) implements Answer {}

    /** Nothing that says anything about the note came back; later it may. */
    record Away(String reason) implements Answer {}

    /** How much of a refusal's text is told. */
    int MOST_TEXT_CHARS = 300;

    /** The answer in a response of HTTP. */
    static Answer of(int status, String contentType, byte[] body, SignedNote sent, NoteKey witness) {
        return switch (status) {
            case 200 -> cosigned(body, sent, witness);
            case 409 -> conflict(contentType, body);
            case 403 ->
                new Refused("it trusts no key of this tree: give it the tree's vkey, as 'notary notes' prints it"
                        + said(body));
            case 404 ->
                new Refused("it knows no such tree, or nothing answers at this address: give it the tree's origin and"
                        + " vkey, as 'notary notes' prints them" + said(body));
            case 422 ->
                new Refused("it has seen another history of this tree, and the note does not continue it. Unless the"
                        + " notary's topics were restored from a backup, two histories were signed" + said(body));
            case 400, 413, 414, 415 -> new Refused("it takes the request for a wrong one, " + status + said(body));
            default -> new Away("it answers " + status + said(body));
        };
    }

    private static Answer cosigned(byte[] body, SignedNote sent, NoteKey witness) {
        try {
            return sent.cosigned(body, witness)
                    .<Answer>map(Cosigned::new)
                    .orElseGet(() -> new Refused("it signs with another key than the one that is configured"));
        } catch (MalformedNoteException e) {
            return new Refused("what it signs is not the note: " + e.getMessage());
        }
    }

    private static Answer conflict(String contentType, byte[] body) {
        String text = new String(body, US_ASCII);
        boolean plain = text.matches("(0|[1-9][0-9]{0,18})\n");
        if (!plain || !contentType.equals("text/x.tlog.size")) {
            return new Away("it answers 409 without a size" + said(body));
        }
        try {
            return new Conflict(Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            return new Away("it answers 409 with a size beyond all trees");
        }
    }

    private static String said(byte[] body) {
        String text = new String(body, UTF_8).strip().replaceAll("\\p{Cntrl}+", " ");
        return text.isEmpty() ? "" : "; it says: " + text.substring(0, Math.min(text.length(), MOST_TEXT_CHARS));
    }
}
