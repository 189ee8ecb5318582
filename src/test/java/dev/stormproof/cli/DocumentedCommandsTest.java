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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Every command in a block of code of the documents is one that its program takes, and is run by scripts/check docs, on a clean clone, or
 * by a test; every link leads somewhere, and so does every place in them that code, rules and scripts name.
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
            "kafka-console-consumer.sh",
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
            "while",
            "do",
            "done");

    /** The tests that run what scripts/check docs does not: what needs more than its broker, or takes long. */
    private static final Map<String, String> TESTED = Map.ofEntries(
            Map.entry("scripts/stormproof audit --mirror-of", "MirrorMakerTest"),
            Map.entry("scripts/stormproof audit --origin", "OriginOnKafkaTest"),
            Map.entry("scripts/stormproof notary notes --partition --notes --notary-key --last", "NotaryOnKafkaTest"),
            Map.entry(
                    "scripts/stormproof notary consistency --partition --from --to --notes --tiles --notary-key -o",
                    "NotaryOnKafkaTest"),
            Map.entry("scripts/stormproof alerts --since", "AlertsCommandTest"),
            Map.entry("scripts/stormproof alerts find --input", "FindCommandTest"),
            Map.entry("scripts/stormproof output resume --partition --offset --retry", "ResumeCommandTest"),
            Map.entry("scripts/stormproof output resume --partition --offset --divert", "ResumeCommandTest"),
            Map.entry("scripts/cluster", "ClusterIT"),
            Map.entry("scripts/trial simulate", "SimulationTest"),
            Map.entry("scripts/trial small-logs", "SmallLogsTest"),
            Map.entry("scripts/release", "DistributionIT"));

    /** What is a check, a trial or a measurement itself, run by hand, with the document that has it. */
    private static final Map<String, String> BY_HAND = Map.ofEntries(
            Map.entry("scripts/bench", "docs/PERFORMANCE.md"),
            Map.entry("scripts/trial under-fire", "docs/RELIABILITY.md"),
            Map.entry("scripts/check brokers", "docs/RELIABILITY.md"),
            Map.entry("scripts/check clients", "docs/TESTING.md"),
            Map.entry("scripts/check docs", "docs/TESTING.md"),
            Map.entry("scripts/check release", "docs/TESTING.md"));

    /** Scripts whose first word is the name of a program. */
    private static final Set<String> LAUNCHERS = Set.of("scripts/trial", "scripts/check", "scripts/bench");

    /** Where a command looks, which makes no other command of it. */
    private static final Set<String> PLACES =
            Set.of("--bootstrap-server", "--command-config", "--config", "--topic", "--port", "--port-base");

    private static final Pattern BLOCK =
            Pattern.compile("^```sh[^\n]*\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");
    private static final Pattern PLACE = Pattern.compile("docs/[\\w/-]+\\.md(?:#[\\w-]+)?");
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]+]\\(([^)\\s]+)\\)");

    static Stream<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(
                Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md"), Path.of("SECURITY.md")));
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

    /** Maven's are not among them: their profiles and tests are looked up, and the build runs it. */
    @ParameterizedTest
    @MethodSource("documents")
    void everyCommandIsRunByTheScriptOrByATest(Path document) throws IOException {
        List<Form> run = Stream.concat(
                        read(Path.of("scripts/checks/docs"))
                                .replace("\\\n", " ")
                                .lines()
                                .filter(line -> !line.startsWith("#"))
                                .map(DocumentedCommandsTest::words),
                        Stream.concat(TESTED.keySet().stream(), BY_HAND.keySet().stream())
                                .map(DocumentedCommandsTest::words))
                .flatMap(words -> Form.in(words).stream())
                .toList();

        List<String> neither = new ArrayList<>();
        for (String command : commands(Files.readString(document))) {
            Optional<Form> form = Form.in(words(command));
            if (form.isPresent() && run.stream().noneMatch(one -> one.covers(form.get()))) {
                neither.add(command);
            }
        }

        assertThat(neither).isEmpty();
    }

    @Test
    void everyTestThatIsNamedForACommandIsThere() throws IOException {
        try (Stream<Path> tests = Files.walk(Path.of("src"))) {
            assertThat(tests.map(test -> test.getFileName().toString()))
                    .containsAll(
                            TESTED.values().stream().map(test -> test + ".java").toList());
        }
        BY_HAND.forEach(
                (script, document) -> assertThat(read(Path.of(document))).contains(script));
    }

    /**
     * A command without values, as far as another one of the same form shows that it works.
     *
     * @param program the script, and for the command line the command
     */
    private record Form(List<String> program, Set<String> options) {
        private static final CommandLine COMMANDS = new Main().commands();

        /** That of the script among these words, if there is one. */
        static Optional<Form> in(List<String> words) {
            for (int i = 0; i < words.size(); i++) {
                String script = words.get(i);
                if (script.equals("scripts/stormproof")) {
                    return Optional.of(ofCommand(words.subList(i + 1, words.size())));
                }
                if (LAUNCHERS.contains(script) && !script.equals("scripts/bench") && i + 1 < words.size()) {
                    return Optional.of(new Form(List.of(script, words.get(i + 1)), Set.of()));
                }
                if (script.startsWith("scripts/")) {
                    return Optional.of(new Form(List.of(script), Set.of()));
                }
            }
            return Optional.empty();
        }

        private static Form ofCommand(List<String> words) {
            List<String> program = new ArrayList<>(List.of("scripts/stormproof"));
            CommandLine command = COMMANDS;
            for (String word : words) {
                CommandLine next = command.getSubcommands().get(word);
                if (next == null) {
                    break;
                }
                command = next;
                program.add(word);
            }
            return new Form(
                    program,
                    words.stream()
                            .filter(word -> word.startsWith("-") && !PLACES.contains(word))
                            .collect(Collectors.toSet()));
        }

        boolean covers(Form other) {
            return program.equals(other.program) && options.containsAll(other.options);
        }
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

    /** True if a place such as {@code docs/runbook.md#lost} is there. */
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
        if (LAUNCHERS.contains(script.toString()) && arguments.length > 0) {
            if (!hasWord(script, text, arguments[0])) {
                throw new IllegalArgumentException("the script knows no " + arguments[0]);
            }
        }
        if (script.endsWith("check") && arguments.length > 0) {
            text = read(check(arguments[0]));
        }
        for (String argument : arguments) {
            if (argument.startsWith("--") && !text.contains(argument) && !mentions(argument)) {
                throw new IllegalArgumentException("the script knows no option " + argument);
            }
        }
    }

    private static boolean hasWord(Path script, String text, String word) {
        return script.endsWith("check")
                ? Files.isExecutable(check(word))
                : text.matches("(?s).*\n  ([\\w-]+ \\| )*" + Pattern.quote(word) + "( \\| [\\w-]+)*\\).*");
    }

    /** The file of a check. */
    private static Path check(String name) {
        Path check = Path.of("scripts", "checks", name);
        return Files.isDirectory(check) ? check.resolve("check") : check;
    }

    /** Options that a script hands to the program behind it. */
    private static boolean mentions(String option) {
        if (read(Path.of("src/cluster/ClusterState.java")).contains("\"" + option + "\"")) {
            return true;
        }
        try (Stream<Path> sources = Files.walk(Path.of("src"))) {
            return sources.filter(path -> path.toString().matches("src/(test|trial|jmh)/.*\\.java"))
                    .filter(file -> !file.endsWith("DocumentedCommandsTest.java"))
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
                try (Stream<Path> tests = Files.walk(Path.of("src"))) {
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
