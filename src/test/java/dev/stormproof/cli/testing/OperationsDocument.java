package dev.stormproof.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The document docs/OPERATIONS.md has blocks of code that tests run. */
public final class OperationsDocument {
    private OperationsDocument() {}

    public static String text() {
        try {
            return Files.readString(Path.of("docs", "OPERATIONS.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The block of code whose first line is {@code ```language name}. */
    public static String block(String language, String name) {
        Matcher block = Pattern.compile(
                        "^```" + language + " " + name + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(text());
        assertThat(block.find()).as("a block %s %s", language, name).isTrue();
        return block.group(1);
    }

    /** The arguments of each {@code kafka-acls.sh} that the document has run, without where the broker is. */
    public static List<List<String>> grants() {
        return block("sh", "acls")
                .lines()
                .filter(line -> line.startsWith("$acls "))
                .map(line -> List.of(line.substring("$acls ".length()).split(" +", -1)))
                .toList();
    }

    /** The {@code nth} table with this head: of each row the first cell with the second one, both without their backquotes. */
    public static Map<String, String> table(String head, int nth) {
        Map<String, String> rows = new TreeMap<>();
        int seen = -1;
        for (String line : text().lines().toList()) {
            if (line.equals(head)) {
                seen++;
            } else if (seen == nth && line.startsWith("| ")) {
                String[] cells = line.split(" *\\| *", -1);
                assertThat(rows.put(cells[1].replace("`", ""), cells[2].replace("`", "")))
                        .as(line)
                        .isNull();
            } else if (seen == nth && !line.startsWith("|-")) {
                return rows;
            }
        }
        throw new AssertionError("no table " + head);
    }
}
