package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every statement of docs/SECURITY.md is held by tests, which src/test/resources/security.md names. */
class SecurityDocumentTest {
    private static final Path PAGE = Path.of("docs/SECURITY.md");
    private static final Path TESTS = Path.of("src/test/resources/security.md");

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        NamedTests named = NamedTests.in(Files.readString(TESTS));
        assertThat(named.names()).hasSizeGreaterThan(40);
        assertThat(named.missing()).isEmpty();
    }

    @Test
    void everyStatementNamesATest() throws IOException {
        assertThat(rows(TESTS))
                .allSatisfy(row -> assertThat(NamedTests.in(row).names()).isNotEmpty());
    }

    @Test
    void thePageMakesTheseStatementsAndItsTablesNoOthers() throws IOException {
        List<String> stated =
                rows(TESTS).stream().map(SecurityDocumentTest::statement).toList();

        assertThat(Files.readString(PAGE)).contains(stated);
        assertThat(rows(PAGE)).extracting(SecurityDocumentTest::statement).isSubsetOf(stated);
    }

    /** The rows of all tables, without their heads. */
    private static List<String> rows(Path document) throws IOException {
        List<String> lines = Files.readAllLines(document);
        return IntStream.range(0, lines.size())
                .filter(at -> lines.get(at).startsWith("| "))
                .filter(at -> at + 1 == lines.size() || !lines.get(at + 1).startsWith("|-"))
                .mapToObj(lines::get)
                .toList();
    }

    private static String statement(String row) {
        return row.substring(2, row.indexOf(" | "));
    }
}
