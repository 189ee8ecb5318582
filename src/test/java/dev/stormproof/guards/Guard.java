package dev.stormproof.guards;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guard against one way to fool a verifier, as a change that takes it out, and the test that must notice.
 *
 * @param fools how a verifier without the guard is fooled
 * @param edits the change; more than one if several guards stand behind each other
 * @param test the test, as {@code package.Class#method}, or a class
 */
record Guard(String fools, List<Edit> edits, String test) {
    /** The list. */
    static final Path LIST = Path.of("src/test/resources/guards.json");

    private static final Path SOURCES = Path.of("src/main/java");

    /**
     * A change of one place in one file.
     *
     * @param file the source, below src/main/java/dev/stormproof
     * @param guard text that occurs there once; runs of white space count as one blank
     * @param without what stands there when the guard is taken out
     */
    record Edit(String file, String guard, String without) {
        Path path() {
            return SOURCES.resolve("dev/stormproof").resolve(file);
        }

        /** The pattern of the guard, whatever lines a formatter broke it into. */
        String pattern() {
            StringBuilder pattern = new StringBuilder();
            for (String word : guard.strip().split("\\s+", -1)) {
                pattern.append(pattern.isEmpty() ? "" : "\\s+").append(Pattern.quote(word));
            }
            return pattern.toString();
        }
    }

    static List<Guard> all() throws IOException {
        return List.of(new ObjectMapper().readValue(LIST.toFile(), Guard[].class));
    }

    /** The changed files with their new texts; throws if a guard is not found exactly once. */
    TreeMap<Path, String> withoutIt() throws IOException {
        TreeMap<Path, String> changed = new TreeMap<>();
        for (Edit edit : edits) {
            Path path = edit.path();
            String text =
                    changed.containsKey(path) ? changed.get(path) : Files.readString(path, StandardCharsets.UTF_8);
            Matcher matcher = Pattern.compile(edit.pattern()).matcher(text);
            long places = matcher.results().count();
            if (places != 1) {
                throw new IllegalStateException(
                        "'" + edit.guard() + "' occurs " + places + " times in " + path + ", and must once");
            }
            changed.put(path, matcher.reset().replaceFirst(Matcher.quoteReplacement(edit.without())));
        }
        return changed;
    }
}
