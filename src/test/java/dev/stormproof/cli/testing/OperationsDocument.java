package dev.stormproof.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The manual: docs/guides and the runbook. Tests run its blocks of code, and compare its tables. */
public final class OperationsDocument {
    private OperationsDocument() {}

    /** All pages, one after the other in the order of their names. */
    public static String text() {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            StringBuilder text = new StringBuilder();
            for (Path page : files.filter(file -> file.toString().matches("docs/(runbook|guides/.*)\\.md"))
                    .sorted()
                    .toList()) {
                text.append(read(page));
            }
            return text.toString();
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
        Map<String, String> table = new TreeMap<>();
        rows(head, nth)
                .forEach((first, others) -> table.put(first, others.get(0).replace("`", "")));
        return table;
    }

    /** The same with the second and the third cell of each row, as text without marks and links. */
    public static Map<String, List<String>> words(String head, int nth) {
        Map<String, List<String>> table = new TreeMap<>();
        rows(head, nth)
                .forEach((first, others) -> table.put(
                        first,
                        others.stream().limit(2).map(OperationsDocument::plain).toList()));
        return table;
    }

    /** The lines under each heading of a section of the runbook, as text without marks and links. */
    public static Map<String, List<String>> runbook(String section) {
        Map<String, List<String>> headings = new LinkedHashMap<>();
        Matcher lines = Pattern.compile("\n## " + section + "\n(.*?)(?=\n## |\\z)", Pattern.DOTALL)
                .matcher(read(Path.of("docs/runbook.md")));
        assertThat(lines.find()).as(section).isTrue();
        for (String part : lines.group(1).split("\n### ", -1)) {
            List<String> entry = part.lines().filter(line -> !line.isEmpty()).toList();
            headings.put(
                    entry.isEmpty() ? "" : entry.get(0),
                    entry.stream().skip(1).map(OperationsDocument::plain).toList());
        }
        headings.remove(headings.keySet().iterator().next());
        return headings;
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text without marks and links. */
    private static String plain(String text) {
        return text.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("`|\\*\\*", "");
    }

    private static Map<String, List<String>> rows(String head, int nth) {
        Map<String, List<String>> rows = new TreeMap<>();
        int seen = -1;
        for (String line : text().lines().toList()) {
            if (line.equals(head)) {
                seen++;
            } else if (seen == nth && line.startsWith("| ")) {
                String[] cells = line.split(" *\\| *", -1);
                assertThat(rows.put(cells[1].replace("`", ""), List.of(cells).subList(2, cells.length)))
                        .as(line)
                        .isNull();
            } else if (seen == nth && !line.startsWith("|-")) {
                return rows;
            }
        }
        throw new AssertionError("no table " + head);
    }
}
