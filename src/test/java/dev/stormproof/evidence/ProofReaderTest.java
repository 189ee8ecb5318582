package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a proof, whatever they tell, and that a wrong one is named. */
class ProofReaderTest {
    private static String withLastLine(String... lines) {
        StringBuilder text = new StringBuilder();
        StringBuilder digits = new StringBuilder();
        for (String line : lines) {
            text.append(line).append('\n');
            digits.append(ProofText.digitsOf(line.getBytes(UTF_8)));
        }
        return text + "lines " + digits + "\n";
    }

    private static ProofReader read(String... lines) throws RefusedProofException {
        return ProofReader.of(withLastLine(lines).getBytes(UTF_8));
    }

    private static void assertRefused(String text, String why) {
        assertThatThrownBy(() -> ProofReader.of(text.getBytes(UTF_8)))
                .isInstanceOf(RefusedProofException.class)
                .hasMessage(why);
    }

    @Test
    void aTextThatEndsAmidALineIsRefusedThere() {
        assertRefused("", "line 1: it does not end with a line feed");
        assertRefused("a b\nlines", "line 2: it does not end with a line feed");
    }

    @Test
    void aLineOfWhichTheLastOneTellsNothingIsRefused() {
        String text = withLastLine("a b", "c d");
        assertRefused(
                text.substring(0, text.length() - 5) + "\n",
                "line 2 (c): it is not as it was written, or the last line is not");
    }

    @ParameterizedTest
    @CsvSource({
        "a-name,                ' (a-name)'",
        "abcdefghijklmnopqrst,  ' (abcdefghijklmnopqrst)'",
        "abcdefghijklmnopqrstu, ''",
        "Aname,                 ''",
    })
    void aDamagedLineIsNamedIfItsNameMayBeOne(String name, String named) {
        String text = withLastLine(name + " text");
        assertRefused(
                text.replace(" text", " other"),
                "line 1" + named + ": it is not as it was written, or the last line is not");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "name ", " text", "", "name te\u007fxt"})
    void aLineIsANameAndAText(String line) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(RefusedProofException.class)
                .hasMessageEndingWith(": it is no name and a text after a space");
    }

    @Test
    void aLineOfOneLetterEachIsRead() throws Exception {
        assertThat(read("a b").next("a").value()).isEqualTo("b");
    }

    @Test
    void aLineThatIsMissingAtTheEndIsMissedBeforeTheLastOne() throws Exception {
        ProofReader reader = read("a b");
        assertThat(reader.next("a").number()).isEqualTo(1);
        assertThatThrownBy(() -> reader.next("c"))
                .isInstanceOf(RefusedProofException.class)
                .hasMessage("line 2 (lines): 'c' is missing before it");
    }

    @Test
    void aHashHasAtMost255Bytes() throws Exception {
        ProofReader reader = read("hash " + "0f".repeat(255), "hash " + "0f".repeat(256));
        assertThat(ProofReader.hash(reader.next("hash")).sizeBytes()).isEqualTo(255);
        assertThatThrownBy(() -> ProofReader.hash(reader.next("hash"))).isInstanceOf(RefusedProofException.class);
    }
}
