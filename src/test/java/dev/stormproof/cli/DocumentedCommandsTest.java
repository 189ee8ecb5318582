package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/**
 * Every command in a block of code of the documents is one that its program takes; every link leads somewhere, and so does every place
 * in them that code, rules and scripts name.
 *
 * <p>Nothing is run here; scripts/check-docs does that on a clean clone.
 */
class DocumentedCommandsTest {
    /** Other people's programs, which are not here to be asked. */
    private static final Set<String> OTHERS = Set.of(
            "storm",
            "venv/bin/pip",
            "venv/bin/python",
            "venv/bin/stormproof-emit",
            "stormproof-emit",
            "docker",
            "keytool",
            "openssl",
            "kafka-acls.sh",
            "kafka-configs.sh",
            "kafka-consumer-groups.sh",
            "read",
            "kafka-topics.sh",
            "printf",
            "python3",
            "pip",
            "curl",
            "mvn",
            "cat",
            "tar",
            "export",
            "cd",
            "java",
            "$acls",
            "acls",
            "for",
            "done");

    private static final Pattern BLOCK =
            Pattern.compile("^```sh[^\n]*\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");
    private static final Pattern PLACE = Pattern.compile("docs/[\\w/-]+\\.md(?:#[\\w-]+)?");
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]+]\\(([^)\\s]+)\\)");

    static Stream<Path> documents() throws IOException {
        List<Path> documents =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        for (Path directory : List.of(Path.of("docs"), Path.of("examples"))) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.walk(directory)) {
                    files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
                }
            }
        }
        return documents.stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyCommandIsOneThatItsProgramTakes(Path document) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String command : commands(Files.readString(document))) {
            try {
                check(words(command));
            } catch (IllegalArgumentException | ParameterException e) {
                wrong.add(command + ": " + e.getMessage());
            }
        }

        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyLinkLeadsSomewhere(Path document) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(Files.readString(document));
        while (link.find()) {
            String target = link.group(1);
            if (!target.matches("https?://.*") && !leadsSomewhere(document, target)) {
                broken.add(target);
            }
        }

        assertThat(broken).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"src", "deploy", "scripts", "examples", ".ci"})
    void everyPlaceInADocumentThatIsNamedIsThere(Path directory) throws IOException {
        List<String> broken = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // Any bytes are text in this charset, and a place has no others than ASCII.
                PLACE.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .results()
                        .map(MatchResult::group)
                        .filter(place -> !leadsSomewhere(place))
                        .map(place -> file + ": " + place)
                        .forEach(broken::add);
            }
        }

        assertThat(broken).isEmpty();
    }

    /** True if a place such as {@code docs/operations/alerts.md#anomalies} is there. */
    static boolean leadsSomewhere(String place) {
        try {
            return leadsSomewhere(Path.of("README.md"), place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean leadsSomewhere(Path document, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty()
                ? document
                : Path.of(document.toString()).resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        return parts.length == 1
                || Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("#"))
                        .map(DocumentedCommandsTest::anchor)
                        .anyMatch(parts[1]::equals);
    }

    /** As the usual renderers of Markdown make it. */
    private static String anchor(String heading) {
        return heading.replaceFirst("#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** The single commands of all blocks, without comments; pipes and lists taken apart. */
    private static List<String> commands(String document) {
        return BLOCK.matcher(document)
                .results()
                .map(block -> block.group(1).replace("\\\n", " "))
                .flatMap(String::lines)
                .map(line -> line.replaceFirst("(^|\\s)#.*", "").strip())
                .flatMap(line -> Stream.of(line.split(" \\| | && |; ", -1)))
                .map(String::strip)
                .filter(command -> !command.isEmpty())
                .toList();
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : WORD.matcher(command).results().toList()) {
            String text = word.group();
            if (text.equals(">") || text.equals("<") || text.equals("&")) {
                break;
            }
            // An assignment before the command, as a shell takes it.
            if (!words.isEmpty() || !text.matches("(?s)[A-Za-z_]+=.*")) {
                words.add(text.replaceAll("^['\"]|['\"]$", ""));
            }
        }
        return words;
    }

    private static void check(List<String> words) {
        if (words.isEmpty() || OTHERS.contains(words.get(0))) {
            return;
        }
        String program = words.get(0);
        String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
        if (program.equals("scripts/stormproof") || program.equals("bin/stormproof")) {
            new Main().commands().parseArgs(arguments);
        } else if (program.equals("./mvnw")) {
            checkMaven(arguments);
        } else if (program.startsWith("scripts/") || program.startsWith("examples/")) {
            checkScript(Path.of(program), arguments);
        } else {
            throw new IllegalArgumentException("no program is known by that name");
        }
    }

    private static void checkScript(Path script, String[] arguments) {
        if (!Files.isExecutable(script)) {
            throw new IllegalArgumentException("there is no such script");
        }
        String text = read(script);
        for (String argument : arguments) {
            if (argument.startsWith("--") && !text.contains(argument) && !mentions(argument)) {
                throw new IllegalArgumentException("the script knows no option " + argument);
            }
        }
    }

    /** Options that a script hands to the program behind it. */
    private static boolean mentions(String option) {
        if (read(Path.of("src/cluster/ClusterState.java")).contains("\"" + option + "\"")) {
            return true;
        }
        try (Stream<Path> tests = Files.walk(Path.of("src/test/java"));
                Stream<Path> benchmarks = Files.walk(Path.of("src/jmh/java"))) {
            return Stream.concat(tests, benchmarks)
                    .filter(file -> file.toString().endsWith(".java") && !file.endsWith("DocumentedCommandsTest.java"))
                    .anyMatch(file -> read(file).contains("\"" + option + "\""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkMaven(String[] arguments) {
        String pom = read(Path.of("pom.xml"));
        for (String argument : arguments) {
            if (argument.startsWith("-P") && !pom.contains("<id>" + argument.substring(2) + "</id>")) {
                throw new IllegalArgumentException("there is no profile " + argument.substring(2));
            }
            if (argument.matches("-D(it\\.)?test=.*")) {
                String name = argument.replaceFirst(".*=", "").replaceFirst("#.*", "");
                try (Stream<Path> tests = Files.walk(Path.of("src/test/java"))) {
                    if (tests.noneMatch(file -> file.endsWith(name + ".java"))) {
                        throw new IllegalArgumentException("there is no test " + name);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
