package dev.stormproof.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests that a document names, as {@code SomeTest} or {@code SomeTest#someMethod}, each in back quotes. */
public record NamedTests(List<String> names) {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test(?:#\\w+)?)`");

    public static NamedTests in(String text) {
        return new NamedTests(
                TEST.matcher(text).results().map(match -> match.group(1)).toList());
    }

    /** Those that do not exist. */
    public List<String> missing() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            sources =
                    files.filter(path -> path.toString().endsWith("Test.java")).toList();
        }
        return names.stream()
                .filter(name -> !exists(name.split("#", -1), sources))
                .toList();
    }

    private static boolean exists(String[] name, List<Path> sources) {
        Optional<Path> file = sources.stream()
                .filter(path -> path.endsWith(name[0] + ".java"))
                .findFirst();
        try {
            return file.isPresent()
                    && (name.length == 1 || Files.readString(file.get()).contains("void " + name[1] + "("));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
