package dev.stormproof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.live.run.Backoff;
import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of bounds names every bound with its value, and tests that exist. */
class BoundsTest {
    private static final Path MAIN = Path.of("src/main/java/dev/stormproof");

    /** The constants that bound something, by how they are named; not those that are others again. */
    private static final Pattern CONSTANT = Pattern.compile(
            "static final (?:(?:int|long|Duration) (?=MAX|MOST|DEFAULT_OFFSETS|BEFORE_THE)|Backoff )(\\w+) = (?!(?!Integer)\\w+\\.[A-Z_]+;|Math)");

    private static final Pattern ROW =
            Pattern.compile("^\\| `(\\w+)/(\\w+)\\.(\\w+)` \\| ([\\d,]+)[^|]* \\|.*$", Pattern.MULTILINE);

    private static String section() throws IOException {
        return Files.readString(Path.of("src/test/resources/bounds.md"));
    }

    /** The values of the constants of main code, by {@code package/Class.NAME}. */
    private static Map<String, Long> constants() throws Exception {
        Map<String, Long> values = new TreeMap<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Path inside = MAIN.relativize(file);
                String name = inside.toString().replaceFirst("\\.java$", "");
                for (MatchResult match :
                        CONSTANT.matcher(Files.readString(file)).results().toList()) {
                    Class<?> type = Class.forName("dev.stormproof." + name.replace('/', '.'));
                    values.put(
                            name.replaceFirst("^.*/(\\w+/\\w+)$", "$1") + "." + match.group(1),
                            value(type, match.group(1)));
                }
            }
        }
        return values;
    }

    private static long value(Class<?> type, String constant) throws Exception {
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals(constant)) {
                field.setAccessible(true);
                Object value = field.get(null);
                return value instanceof Duration duration
                        ? duration.toMillis()
                        : value instanceof Backoff backoff ? backoff.mostMillis() : ((Number) value).longValue();
            }
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            long value = value(nested, constant);
            if (value >= 0) {
                return value;
            }
        }
        return -1;
    }

    @Test
    void everyBoundOfTheCodeStandsThereWithItsValueAndNothingElse() throws Exception {
        Map<String, Long> stated = new TreeMap<>();
        Matcher rows = ROW.matcher(section());
        while (rows.find()) {
            Long before = stated.put(
                    rows.group(1) + "/" + rows.group(2) + "." + rows.group(3),
                    Long.parseLong(rows.group(4).replace(",", "")));
            assertThat(before).as(rows.group()).isNull();
        }
        Map<String, Long> is = constants();
        assertThat(stated.keySet()).containsExactlyElementsOf(is.keySet());
        assertThat(stated).isEqualTo(is);
    }

    @Test
    void everyBoundNamesATest() throws IOException {
        assertThat(ROW.matcher(section()).results())
                .filteredOn(row -> NamedTests.in(row.group()).names().isEmpty())
                .extracting(row -> row.group(1) + "/" + row.group(2) + "." + row.group(3))
                .isEmpty();
    }

    @Test
    void everyTestThatHoldsOneExists() throws IOException {
        NamedTests named = NamedTests.in(section());
        assertThat(named.names()).hasSizeGreaterThan(20);
        assertThat(named.missing()).isEqualTo(List.of());
    }
}
