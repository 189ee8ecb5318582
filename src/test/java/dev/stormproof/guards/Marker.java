package dev.stormproof.guards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A comment at a guard against one way to fool a verifier, that says how to take the guard out of the code that follows.
 *
 * <pre>
 *   // guard: ID                     what follows is gone: a statement, a link of a chain, an operand; of an if the condition is false
 *   // guard: ID: NEW                the condition of what follows, or its value, is NEW
 *   // guard: ID: OLD =&gt; NEW         OLD, which stands in what follows once, is NEW
 *   // guard: ID: without OLD        OLD is gone
 * </pre>
 *
 * @param file the source
 * @param id names what fools a verifier without the guard
 * @param change what stands behind the id; empty if nothing does
 */
record Marker(Path file, String id, String change) {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final String BEGIN = "// guard";
    private static final String WITHOUT = "without ";
    private static final Pattern MARKER = Pattern.compile("^ *// guard: ([a-z0-9]+(?:-[a-z0-9]+)*)(?:: (\\S.*))?$");
    private static final Pattern REPLACEMENT = Pattern.compile("(.+) => (.+)");

    /** The markers of all sources, in their order. */
    static List<Marker> all() throws IOException {
        List<Marker> markers = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                Files.readString(file)
                        .lines()
                        .filter(line -> line.contains(BEGIN))
                        .map(line -> parse(file, line))
                        .forEach(markers::add);
            }
        }
        return markers;
    }

    static Marker parse(Path file, String line) {
        Matcher matcher = MARKER.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalStateException("no marker of a guard: '" + line.strip() + "' in " + file);
        }
        return new Marker(
                file, matcher.group(1), Optional.ofNullable(matcher.group(2)).orElse(""));
    }

    /** A text of the file without the guard; throws if it has nothing to change as the marker says. */
    String takenOutOf(String source) {
        Matcher matcher = Pattern.compile("^ *// guard: " + id + "(:.*)?$", Pattern.MULTILINE)
                .matcher(source);
        if (!matcher.find()) {
            throw new IllegalStateException("no marker " + id + " in " + file);
        }
        GuardedCode code = new GuardedCode(source, matcher.end());
        Matcher replacement = REPLACEMENT.matcher(change);
        String changed;
        if (change.isEmpty()) {
            changed = code.gone();
        } else if (change.startsWith(WITHOUT)) {
            changed = code.with(change.substring(WITHOUT.length()), "");
        } else if (replacement.matches()) {
            changed = code.with(replacement.group(1), replacement.group(2));
        } else {
            changed = code.withValue(change);
        }
        if (changed.equals(source)) {
            throw new IllegalStateException(this + " changes nothing");
        }
        return changed;
    }
}
