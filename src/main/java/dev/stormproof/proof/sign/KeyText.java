package dev.stormproof.proof.sign;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text forms of a key: PEM, or its base64 alone. */
final class KeyText {
    private static final Pattern PEM =
            Pattern.compile("\\s*-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END ([A-Z0-9 ]+)-----\\s*");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private KeyText() {}

    /** A key with its id, as in settings. */
    static String of(String id, byte[] der) {
        return id + ":" + Base64.getEncoder().encodeToString(der);
    }

    /** The DER bytes; throws {@link IllegalArgumentException}, whose message never repeats the text. */
    static byte[] toDer(String text, String label) {
        Matcher pem = PEM.matcher(text);
        String base64 = text;
        if (pem.matches()) {
            if (!pem.group(1).equals(label) || !pem.group(3).equals(label)) {
                throw new IllegalArgumentException("a PEM of a " + pem.group(1) + " where a " + label + " belongs");
            }
            base64 = pem.group(2);
        }
        try {
            return Base64.getDecoder().decode(SPACE.matcher(base64).replaceAll(""));
        } catch (IllegalArgumentException e) {
            // Its cause would quote from a key.
            throw new IllegalArgumentException("a key that is neither PEM nor base64");
        }
    }
}
