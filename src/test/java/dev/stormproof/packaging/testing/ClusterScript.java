package dev.stormproof.packaging.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The script {@code scripts/cluster} runs a cluster: every call is a process of its own, and bounded in time. */
public final class ClusterScript {
    /** Beyond what the script itself waits for. */
    private static final long PATIENCE_SECONDS = 400;

    /** How long the script waits for one thing. */
    private static final String TIMEOUT_SECONDS = "180";

    private static final Path SCRIPT = Path.of("scripts", "cluster");

    private final String name;

    public ClusterScript(String name) {
        this.name = name;
    }

    /** How a command ended and what it printed, to standard output and error. */
    public record Result(int exitCode, String printed) {
        /** Itself, if the command has done what it was asked to. */
        public Result done() {
            assertThat(exitCode).as(printed).isZero();
            return this;
        }

        /** The first group of a pattern in what was printed. */
        public String find(String regex) {
            Matcher matcher = Pattern.compile(regex).matcher(printed);
            assertThat(matcher.find()).as("%s in %s", regex, printed).isTrue();
            return matcher.group(1);
        }
    }

    /** The directory of its data, logs and configuration. */
    public Path dir() {
        return Path.of("target", "cluster", name).toAbsolutePath();
    }

    /** Runs a command until it ends. */
    public Result run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** The same with more variables in its environment, which what it starts inherits. */
    public Result run(Map<String, String> variables, String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--name", name, "--timeout", TIMEOUT_SECONDS));
        try {
            Path printed = Files.createTempFile("stormproof-cluster-", ".txt");
            try {
                Process process = start(variables, command, printed);
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                    throw new AssertionError(command + " still runs: " + read(printed));
                }
                return new Result(process.exitValue(), read(printed));
            } finally {
                Files.deleteIfExists(printed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    private static Process start(Map<String, String> variables, List<String> command, Path printed) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("STORMPROOF_JAVA_OPTS", "-Xmx384m -XX:TieredStopAtLevel=1");
        // The build inside the script finds what this build has fetched.
        String repository = System.getProperty("stormproof.maven.repository");
        if (repository != null) {
            environment.put("MAVEN_ARGS", "-Dmaven.repo.local=" + repository);
        }
        environment.putAll(variables);
        return builder.start();
    }

    /** The logs of the workers of topologies whose id begins so, by their ports. */
    public Map<String, String> workerLogs(String topology) throws IOException {
        try (Stream<Path> files = Files.walk(dir().resolve("logs").resolve("workers-artifacts"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("worker.log")
                            && file.getParent()
                                    .getParent()
                                    .getFileName()
                                    .toString()
                                    .startsWith(topology + "-"))
                    .collect(Collectors.toMap(
                            file -> file.getParent().getFileName().toString(), ClusterScript::read));
        }
    }

    /** The files in its directory that hold one of some texts; those that Storm compresses are searched as they were. */
    public List<Path> filesWith(List<String> texts) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(dir(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && texts.stream().anyMatch(contents(file)::contains)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Storm clears away what it needs no more. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                return e == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, e);
            }
        });
        return found;
    }

    private static String contents(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.mark(2);
            boolean compressed = in.read() == 0x1f && in.read() == 0x8b;
            in.reset();
            InputStream plain = compressed ? new GZIPInputStream(in) : in;
            return new String(plain.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** The command lines of the processes that belong to it; ProcessHandle cuts long ones off, and that of the broker is long. */
    public List<String> processes() throws IOException {
        Process ps = new ProcessBuilder("ps", "-ww", "-o", "args=", "-ax").start();
        try (BufferedReader lines = ps.inputReader(StandardCharsets.UTF_8)) {
            return lines.lines()
                    .filter(line -> line.contains(dir() + File.separator))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
