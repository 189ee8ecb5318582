package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/stormproof} in an installation, whose jars are links, and the archives of classes that it starts from. */
@Tag(Stages.BROKER)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
class InstallationTest {
    @TempDir
    private Path dir;

    private Path home;
    private Path script;
    private Path cache;

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectories(dir.resolve("installation"));
        cache = dir.resolve("cache");
        script = Files.createDirectories(home.resolve("bin")).resolve("stormproof");
        Files.copy(Path.of("scripts", "stormproof"), script, StandardCopyOption.COPY_ATTRIBUTES);
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.copy(Path.of("src/main/resources/logback.xml"), conf.resolve("logback.xml"));
        Path lib = Files.createDirectories(home.resolve("lib"));
        int directories = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            String name = Objects.requireNonNull(path.getFileName()).toString();
            if (Files.isDirectory(path)) {
                writeJar(path, lib.resolve("stormproof-" + directories++ + ".jar"));
            } else if (name.endsWith(".jar") && !Files.exists(lib.resolve(name))) {
                Files.createSymbolicLink(lib.resolve(name), path);
            }
        }
    }

    @AfterEach
    void unlink() throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            for (Path jar : jars.toList()) {
                Files.delete(jar);
            }
        }
    }

    @Test
    void theSecondUseStartsFromTheArchiveOfTheFirst() throws Exception {
        Shell.Result first = launch(script, "--help");
        List<Path> archives = archives();
        Path classes = dir.resolve("classes.txt");
        Shell.Result second = await(start(script, "-Xlog:class+load:file=" + classes, cache.toString(), "--help"));

        assertThat(first.exitCode()).as(first.toString()).isZero();
        assertThat(first.out()).startsWith("Usage: stormproof");
        assertThat(first.err()).isEmpty();
        assertThat(archives).singleElement().asString().endsWith("help.jsa");
        assertThat(second).isEqualTo(first);
        assertThat(Files.readString(classes)).contains("dev.stormproof.cli.Main source: shared objects file");
    }

    @Test
    void anotherJarHasAnotherArchive() throws Exception {
        launch(script, "--help");
        Path jar = home.resolve("lib/stormproof-0.jar");
        Files.setLastModifiedTime(jar, Files.getLastModifiedTime(script));
        Files.write(home.resolve("lib/stormproof-9.jar"), Files.readAllBytes(jar));

        launch(script, "--help").ends(0);

        assertThat(archives()).hasSize(2);
    }

    @Test
    void twoAtOnceLeaveOneArchiveAndADamagedOneIsPassedOver() throws Exception {
        Process one = start(script, "", cache.toString(), "--help");
        Process other = start(script, "", cache.toString(), "--help");

        assertThat(await(one).exitCode()).isZero();
        assertThat(await(other).exitCode()).isZero();
        assertThat(archives()).hasSize(1);

        Path archive = archives().get(0);
        assertThat(archive.toFile().setWritable(true)).isTrue();
        Files.writeString(archive, "no archive");
        Shell.Result result = launch(script, "--help").ends(0);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("Usage: stormproof");
    }

    @Test
    void whereNothingCanBeWrittenItStartsWithoutOne() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");
        Path link = Files.createSymbolicLink(dir.resolve("link"), script);

        Shell.Result result = await(
                        start(link, "", file.resolve("cache").toString(), "dev", "inspect", "no such * file"))
                .ends(ExitCode.USAGE);

        assertThat(result.err()).isEqualTo("stormproof: there is no file no such * file; check its name\n");
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private Shell.Result launch(Path launcher, String... args) throws IOException, InterruptedException {
        return await(start(launcher, "", cache.toString(), args));
    }

    private Process start(Path launcher, String options, String cacheHome, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("STORMPROOF_JAVA_OPTS", options);
        builder.environment().put("XDG_CACHE_HOME", cacheHome);
        return builder.start();
    }

    private static Shell.Result await(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Shell.Result(
                process.exitValue(),
                new String(process.getInputStream().readAllBytes(), UTF_8),
                new String(process.getErrorStream().readAllBytes(), UTF_8),
                List.of());
    }

    private static void writeJar(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
                out.closeEntry();
            }
        }
    }
}
