package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every statement in docs/SECURITY.md names tests that exist. */
class SecurityDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/SECURITY.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:#(\\w+))?`");

    @Test
    void everyTestThatItNamesExists() throws IOException {
        NamedTests named = NamedTests.in(Files.readString(DOCUMENT));
        assertThat(named.names()).hasSizeGreaterThan(40);
        assertThat(named.missing()).isEmpty();
    }

    @Test
    void everyStatementIsHeldByATest() throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .filteredOn(line -> line.startsWith("|") && !line.startsWith("|-") && !line.endsWith("| held by |"))
                .allSatisfy(line -> assertThat(TEST.matcher(line).find()).isTrue());
    }
}
