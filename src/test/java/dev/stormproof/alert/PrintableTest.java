package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 7, 8, 9, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x061c, 0x200b, 0x200d, 0x200e,
                0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069,
                0xd800, 0xdfff, 0xfeff, 0xfff9, 0xffff
            })
    void whatCannotBeSeenIsWritten(int character) {
        String text = "a" + (char) character + "é";

        assertThat(Printable.line(text)).isEqualTo(String.format("a\\u%04xé", character));
    }

    @Test
    void theRestStays() {
        String text = "plain, é ß 漢字 \ud83d\ude00 \\ \\u001b \u00a0";

        assertThat(Printable.line(text)).isEqualTo(text);
        assertThat(Printable.line("tag " + Character.toString(0xe0041))).isEqualTo("tag \\udb40\\udc41");
        assertThat(Printable.line("")).isEmpty();
    }

    @Test
    void noCharacterThatStaysSteersATerminal() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(character ->
                                Printable.line(Character.toString(character)).equals(Character.toString(character)))
                        .filter(character -> Character.isISOControl(character)
                                || Character.getDirectionality(character) > Character.DIRECTIONALITY_OTHER_NEUTRALS
                                || Character.isIdentifierIgnorable(character)))
                .isEmpty();
    }
}
