package dev.stormproof.alert;

/**
 * Text of which every character can be seen: what a terminal obeys, or a reader would not notice, stands as {@code \\uXXXX}.
 *
 * <table>
 *   <caption>What is written so, by its Unicode category</caption>
 *   <tr><td>Cc</td><td>control characters: C0 (escape, new line), DEL, C1</td></tr>
 *   <tr><td>Cf</td><td>format characters: zero width, and those that turn the direction of writing around</td></tr>
 *   <tr><td>Zl, Zp</td><td>separators of lines and paragraphs</td></tr>
 *   <tr><td>Cs</td><td>surrogates without their other half</td></tr>
 *   <tr><td>Cn</td><td>what this Java does not know, and a newer terminal may</td></tr>
 * </table>
 *
 * <p>In JSON such characters stand within strings only, where the same notation means them: the value stays what it was.
 */
public final class Printable {
    private Printable() {}

    /** The text as a part of one line. */
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

    /** Appends a character, or what stands for it. */
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
