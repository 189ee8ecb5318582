package dev.stormproof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.merkle.Vectors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the examples in docs/FORMAT.md to the vectors. */
class FormatDocumentTest {
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
    void thereAreExamplesOfEveryFormat() throws Exception {
        assertThat(examples().map(example -> example.getPayload().group(1)))
                .contains("event-headers.json", "format1.json", "format2.json");
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

    /** A leaf of format 1 is text; other roots are bytes. */
    private static String printed(String root) {
        byte[] bytes = HexFormat.of().parseHex(root);
        return bytes.length == 40 ? new String(bytes, StandardCharsets.US_ASCII) : root;
    }

    private static String document() throws IOException {
        return Files.readString(Path.of("docs", "FORMAT.md"));
    }
}
