package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every statement in docs/SECURITY.md names tests that exist. */
class SecurityDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/SECURITY.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");

    @Test
    void everyTestThatItNamesExists() throws IOException {
        List<MatchResult> named =
                TEST.matcher(Files.readString(DOCUMENT)).results().toList();
        assertThat(named).hasSizeGreaterThan(10);
        for (MatchResult test : named) {
            assertThat(source(test.group(1)))
                    .as(test.group())
                    .hasValueSatisfying(source -> assertThat(source).contains("void " + test.group(2) + "("));
        }
    }

    @Test
    void everyStatementIsHeldByATest() throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .filteredOn(line -> line.startsWith("|") && !line.startsWith("|-") && !line.endsWith("| held by |"))
                .allSatisfy(line -> assertThat(TEST.matcher(line).find()).isTrue());
    }

    private static Optional<String> source(String test) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            Optional<Path> file =
                    files.filter(path -> path.endsWith(test + ".java")).findFirst();
            return file.isPresent() ? Optional.of(Files.readString(file.get())) : Optional.empty();
        }
    }
}
