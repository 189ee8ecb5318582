package dev.stormproof.guards;

import dev.stormproof.guards.TestedGuard.Verdict;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Takes every {@link Guard} out in turn, and runs the test that must notice.
 *
 * <pre>
 *   source ──without the guard──► classes of its own ──before the others──► JVM with the test's class ──► {@link Verdict}
 * </pre>
 *
 * <p>Exits with 1 if a guard is not proven, or a test is red with every guard in its place. A person runs it: {@code
 * scripts/prove-guards}.
 */
public final class GuardProof {
    private static final long PATIENCE_SECONDS = 300;

    /** The property that names the file into which the control writes what failed, and that file's name. */
    private static final String FAILURES = "guards.failures";

    private GuardProof() {}

    /**
     * Takes the number of the first guard to prove, from 1, and of the last one, all if neither is given; or "id" and the ids of markers,
     * whose guards are proven; or "control" and the names of tests, or "without" and the name of one, to run in this JVM.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, ClassNotFoundException {
        if (arguments.length == 0 || Character.isDigit(arguments[0].charAt(0))) {
            List<Guard> all = Guard.all();
            int first = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
            int last = arguments.length > 1 ? Integer.parseInt(arguments[1]) : all.size();
            System.exit(prove(all.subList(first - 1, last)) ? 0 : 1);
        }
        List<String> tests = List.of(arguments).subList(1, arguments.length);
        if (arguments[0].equals("id")) {
            List<Guard> named = Guard.all().stream()
                    .filter(guard -> !Collections.disjoint(guard.ids(), tests))
                    .toList();
            System.exit(!named.isEmpty() && prove(named) ? 0 : 1);
        }
        if (arguments[0].equals("control")) {
            TestedGuard control = run(tests, new TestedGuard(method -> true, () -> {}));
            Files.write(Path.of(System.getProperty(FAILURES)), control.failures());
            System.exit(control.asControl().exit());
        }
        System.exit(without(tests.get(0)).exit());
    }

    /** Runs the test of a guard, then the others of its class until one is green. */
    private static Verdict without(String guarded) {
        String[] test = guarded.replaceFirst("\\(.*", "").split("#", -1);
        Predicate<String> named = method -> test.length == 1 || method.equals(test[1]);
        Verdict alone = run(List.of(guarded), new TestedGuard(named, () -> {})).withoutTheGuard();
        if (alone != Verdict.PROVEN || test.length == 1) {
            return alone;
        }
        return run(List.of(test[0]), new TestedGuard(named, () -> System.exit(Verdict.PROVEN.exit())))
                .withoutTheGuard();
    }

    private static boolean prove(List<Guard> guards) throws IOException, InterruptedException {
        Path out = Files.createTempDirectory("stormproof-guards-");
        try {
            List<Marker> markers = Marker.all();
            List<String> tests = guards.stream().map(Guard::test).distinct().toList();
            Verdict whole = runInChild(out, "control", tests);
            System.out.printf("%s: %d tests with every guard in its place%n", whole, tests.size());
            if (Files.exists(out.resolve(FAILURES))) {
                Files.readAllLines(out.resolve(FAILURES)).forEach(System.out::println);
            }
            int proven = 0;
            for (Guard guard : guards) {
                Path classes = Files.createTempDirectory(out, "classes-");
                Verdict verdict = compile(guard.withoutIt(markers), classes)
                        ? runInChild(classes, "without", List.of(guard.test()))
                        : Verdict.DOES_NOT_COMPILE;
                System.out.printf(
                        "%s: %s%n       %s%n",
                        verdict, guard.name(), guard.test().replaceFirst("^dev\\.stormproof\\.", ""));
                proven += verdict == Verdict.PROVEN ? 1 : 0;
            }
            boolean all = whole == Verdict.GREEN && proven == guards.size();
            System.out.println(proven + " of " + guards.size() + " guards, each with an assertion that fails without it"
                    + (all ? "" : ": NOT PROVEN"));
            return all;
        } finally {
            delete(out);
        }
    }

    private static boolean compile(Map<Path, String> changed, Path classes) throws IOException {
        Path sources = Files.createTempDirectory(classes, "sources-");
        List<File> files = new ArrayList<>();
        for (Map.Entry<Path, String> entry : changed.entrySet()) {
            Path copy = sources.resolve(entry.getKey());
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, entry.getValue(), StandardCharsets.UTF_8);
            files.add(copy.toFile());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromFiles(files))
                    .call();
            if (!compiled) {
                System.out.println("without its guard, " + changed.keySet() + " does not compile: " + messages);
            }
            return compiled;
        }
    }

    private static Verdict runInChild(Path classes, String kind, List<String> tests)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-D" + FAILURES + "=" + classes.resolve(FAILURES),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                GuardProof.class.getName(),
                kind));
        command.addAll(tests);
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    ? Verdict.ofExit(process.exitValue())
                    : Verdict.NO_END;
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Runs tests, but none that the ordinary run leaves out: a long form takes minutes without its guard. */
    private static TestedGuard run(List<String> tests, TestedGuard listener) {
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(tests.stream()
                                .map(test -> test.contains("#")
                                        ? DiscoverySelectors.selectMethod(test)
                                        : DiscoverySelectors.selectClass(test))
                                .toList())
                        .filters(TagFilter.excludeTags("full", "browser"))
                        .build(),
                listener);
        return listener;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
