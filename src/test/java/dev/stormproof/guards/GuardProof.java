package dev.stormproof.guards;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Takes every {@link Guard} out in turn, and runs the test that must notice.
 *
 * <pre>
 *   source ──without the guard──► classes of its own ──before the others──► JVM with the test ──► red?
 * </pre>
 *
 * <p>Exits with 1 if a test stays green without its guard, or is red with it. A person runs it: {@code
 * scripts/prove-guards}.
 */
public final class GuardProof {
    private static final long PATIENCE_SECONDS = 120;

    /** What a child JVM exits with. */
    private static final int GREEN = 0;

    private static final int RED = 1;
    private static final int NO_TEST = 2;

    private GuardProof() {}

    /** Takes nothing, or "test" and the names of tests to run in this JVM. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 1) {
            System.exit(runTests(List.of(arguments).subList(1, arguments.length)));
        }
        System.exit(prove(Guard.all()) ? 0 : 1);
    }

    private static boolean prove(List<Guard> guards) throws IOException, InterruptedException {
        Path out = Files.createTempDirectory("stormproof-guards-");
        try {
            boolean proven = true;
            List<String> tests = guards.stream().map(Guard::test).distinct().toList();
            int whole = runInChild(out, tests);
            System.out.printf("%-6s %d tests with every guard in its place%n", name(whole), tests.size());
            proven &= whole == GREEN;
            for (Guard guard : guards) {
                Path classes = Files.createTempDirectory(out, "classes-");
                compile(guard.withoutIt(), classes);
                int exit = runInChild(classes, List.of(guard.test()));
                System.out.printf(
                        "%-6s %s%n       %s%n",
                        name(exit), guard.fools(), guard.test().replaceFirst("^dev\\.stormproof\\.", ""));
                proven &= exit == RED;
            }
            System.out.println(
                    proven ? guards.size() + " guards, each with a test that fails without it" : "NOT PROVEN");
            return proven;
        } finally {
            delete(out);
        }
    }

    private static String name(int exit) {
        return switch (exit) {
            case GREEN -> "green";
            case RED -> "red";
            case NO_TEST -> "NONE";
            default -> "exit " + exit;
        };
    }

    private static void compile(Map<Path, String> changed, Path classes) throws IOException {
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
                throw new IllegalStateException(
                        "without its guard, " + changed.keySet() + " does not compile: " + messages);
            }
        }
    }

    private static int runInChild(Path classes, List<String> tests) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                GuardProof.class.getName(),
                "test"));
        command.addAll(tests);
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            // A verifier that never ends is noticed too.
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : RED;
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static int runTests(List<String> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(tests.stream()
                                .map(test -> test.contains("#")
                                        ? DiscoverySelectors.selectMethod(test)
                                        : DiscoverySelectors.selectClass(test))
                                .toList())
                        .build(),
                listener);
        TestExecutionSummary summary = listener.getSummary();
        if (summary.getTestsSucceededCount() + summary.getTestsFailedCount() == 0) {
            return NO_TEST;
        }
        return summary.getTotalFailureCount() == 0 ? GREEN : RED;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
