package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.proof.tree.Vectors;
import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds docs/FORMAT.md to the vectors, the layouts and the tests. */
class FormatDocumentTest {
    private static final Pattern FIELD = Pattern.compile("^\\| (\\d+) \\| (\\d+) \\|", Pattern.MULTILINE);
    private static final Pattern EXAMPLE =
            Pattern.compile("^```hex (\\S+): ([^\\n]+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    static Stream<Named<MatchResult>> examples() throws IOException {
        return EXAMPLE.matcher(document()).results().map(match -> Named.of(match.group(2), match));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theExampleIsTheVectorOfItsName(MatchResult example) {
        JsonNode vector = Vectors.cases(example.group(1))
                .map(Named::getPayload)
                .filter(candidate -> candidate.get("name").asText().equals(example.group(2)))
                .findFirst()
                .orElseThrow();
        String hex = example.group(3).replaceAll("#[^\\n]*", "").replaceAll("\\s+", "");
        assertThat(hex).isEqualTo(vector.get("bytes").asText());
    }

    @Test
    void thereAreExamplesOfAnEventAndACheckpoint() throws Exception {
        assertThat(examples().map(example -> example.getPayload().group(1)))
                .contains("event-headers.json", "format2.json");
    }

    @Test
    void theRootsOfNoLeafAndOfOneAreStated() throws Exception {
        String document = document();
        assertThat(Vectors.cases("roots.json").map(Named::getPayload))
                .filteredOn(vector -> vector.get("leafCount").asInt() <= 1)
                .extracting(vector -> printed(vector.get("root").asText()))
                .hasSize(6)
                .allSatisfy(root -> assertThat(document).contains("`" + root + "`"));
    }

    @Test
    void theTablesAreTheLayouts() throws Exception {
        String document = document();
        assertThat(document)
                .contains("| 0 | 4 | magic | `" + spaced(Format1Layout.MAGIC) + "` |")
                .contains("| 0 | 4 | magic | `" + spaced(Format2Layout.MAGIC) + "`, \"SPCP\" |")
                .contains(String.format(Locale.ROOT, "At most %,d bytes", Format1Codec.MAX_SIZE_BYTES))
                .contains(String.format(Locale.ROOT, "At most %,d bytes", CheckpointCodec.MAX_SIZE_BYTES))
                .contains("count of uncertain ranges | 0 to "
                        + String.format(Locale.ROOT, "%,d", Format2Checkpoint.MAX_UNCERTAIN));
        assertThat(fixedFields(document, "## 3.")).isEqualTo(10);
        assertThat(fixedFields(document, "## 4.")).isEqualTo(Format2Layout.FIXED_BYTES);
        assertThat(document).contains("| " + Format2Layout.FLAGS_AT + " | 1 | flags |");
    }

    private static int fixedFields(String document, String section) {
        int end = 0;
        String text = document.substring(document.indexOf("\n" + section));
        text = text.substring(0, text.indexOf("\n##", 1));
        for (MatchResult row : FIELD.matcher(text).results().toList()) {
            assertThat(Integer.parseInt(row.group(1))).as(row.group()).isEqualTo(end);
            end += Integer.parseInt(row.group(2));
        }
        return end;
    }

    private static String spaced(int magic) {
        return HexFormat.ofDelimiter(" ")
                .formatHex(ByteBuffer.allocate(Integer.BYTES).putInt(magic).array());
    }

    @Test
    void eachRuleIsListedWithTestsThatExist() throws Exception {
        String list = Files.readString(Path.of("src/test/resources/format.md"));
        assertThat(numbers("^\\| (\\d+) \\|", list.substring(0, list.indexOf("| section |"))))
                .isEqualTo(numbers("^(\\d+)\\. ", document()))
                .hasSize(24);
        assertThat(NamedTests.in(list).names()).hasSizeGreaterThan(15);
        assertThat(NamedTests.in(list).missing()).isEmpty();
    }

    private static List<String> numbers(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static String printed(String root) {
        byte[] bytes = HexFormat.of().parseHex(root);
        return bytes.length == 40 ? new String(bytes, StandardCharsets.US_ASCII) : root;
    }

    private static String document() throws IOException {
        return Files.readString(Path.of("docs", "FORMAT.md"));
    }
}
