package dev.stormproof.alert;

/**
 * Text in which every character is visible: characters that a terminal obeys, or that a reader would not notice, are written as {@code \\uXXXX}.
 *
 * <table>
 *   <caption>The escaped characters, by Unicode category</caption>
 *   <tr><td>Cc</td><td>control characters: C0 (escape, new line), DEL, C1</td></tr>
 *   <tr><td>Cf</td><td>format characters: zero width, and those that reverse the direction of writing</td></tr>
 *   <tr><td>Zl, Zp</td><td>separators of lines and paragraphs</td></tr>
 *   <tr><td>Cs</td><td>unpaired surrogates</td></tr>
 *   <tr><td>Cn</td><td>unassigned in this Java, but maybe not in a newer terminal</td></tr>
 * </table>
 *
 * <p>In JSON such characters occur only within strings, where the same notation means them, so the value does not change.
 */
public final class Printable {
    private Printable() {}

    /** The text, for use within one line. */
    public static String line(String text) {
        int plain = plainChars(text);
        if (plain == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, plain);
        for (int at = plain; at < text.length(); ) {
            int character = text.codePointAt(at);
            append(character, line);
            at += Character.charCount(character);
        }
        return line.toString();
    }

    private static int plainChars(String text) {
        int at = 0;
        while (at < text.length() && text.charAt(at) >= ' ' && text.charAt(at) < 0x7f) {
            at++;
        }
        return at;
    }

    /** Appends a character, or its escape. */
    public static void append(int character, StringBuilder text) {
        if (isVisible(character)) {
            text.appendCodePoint(character);
            return;
        }
        for (char unit : Character.toChars(character)) {
            text.append(String.format("\\u%04x", (int) unit));
        }
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
