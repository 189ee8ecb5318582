package dev.stormproof.cli.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.input.CandidateFile.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of candidates: each key and value, byte for byte. */
class CandidateFileTest {
    @TempDir
    private Path dir;

    @Test
    void csvKeepsQuotesCommasAndLineEndsAndTellsNullFromEmpty() throws IOException {
        assertThat(
                        read(
                                Form.CSV,
                                "x,key,value\r\n1,a,\"b,\"\"c\"\"\r\n\"\r\n\n2,,\"\"\n3,\"\",\n4,k\u00e9,\"ends \r\"\n5,q,\" \"\r\n6,l,last"))
                .containsExactly("2|a|b,\"c\"\r\n", "5|null|", "6||null", "7|k\u00e9|ends \r", "8|q| ", "9|l|last");
    }

    @Test
    void jsonLinesKeepObjectsAsTheyStandThereAndUnpackTexts() throws IOException {
        assertThat(read(Form.JSONL, """
                                {"value":{"a": [1,  2]},"key":"k"}

                                {"key":7,"value":"a\\nb"}
                                {"value":null,"more":[{}]}
                                {"payload":"p","key":null}
                                {"keyBase64":"AA==","valueBase64":"/w=="}
                                """))
                .containsExactly("1|k|{\"a\": [1,  2]}", "3|7|a\nb", "4|null|null", "5|null|p", "6|\u0000|\u00ff");
    }

    @Test
    void linesAreValues() throws IOException {
        assertThat(read(Form.LINES, "a\r\n\nb")).containsExactly("1|null|a", "2|null|", "3|null|b");
    }

    @Test
    void theNameShowsTheForm() {
        assertThat(List.of("a.CSV", "a.txt", "a.ndjson", "-"))
                .extracting(
                        name -> CandidateFile.of(Path.of(name), "key", "value").form())
                .containsExactly(Form.CSV, Form.LINES, Form.JSONL, Form.JSONL);
    }

    @Test
    void whatIsNoSuchFileIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> read(Form.CSV, "key,body\na,b\n"))
                .hasMessageContaining("no column \"value\", but [key, body]");
        assertThatThrownBy(() -> read(Form.CSV, "key,value\na,b\nc\nd\n"))
                .hasMessageContaining(":3 has 1 fields instead of 2");
        assertThatThrownBy(() -> read(Form.CSV, "key,value\na,\"b\n")).hasMessageContaining("ends within quotes");
        assertThatThrownBy(() -> read(Form.JSONL, "{\"value\":1}\n[1]\n")).hasMessageContaining(":2 is no JSON object");
        assertThatThrownBy(() -> read(Form.JSONL, "{\"value\":1} 2\n")).hasMessageContaining("something follows");
        assertThatThrownBy(() -> read(Form.JSONL, "{\"valueBase64\":\"?\"}\n")).hasMessageContaining(":1 is no JSON");
    }

    private List<String> read(Form form, String text) throws IOException {
        Path file = dir.resolve("candidates");
        Files.write(file, text.getBytes(ISO_8859_1));
        List<String> read = new ArrayList<>();
        new CandidateFile(file, form, "key", "value")
                .forEach((place, key, value) ->
                        read.add(place.substring(place.lastIndexOf(':') + 1) + "|" + shown(key) + "|" + shown(value)));
        return read;
    }

    private static String shown(byte @Nullable [] bytes) {
        return bytes == null ? "null" : new String(bytes, ISO_8859_1);
    }
}
