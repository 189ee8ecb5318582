package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code scripts/stormproof} in a source tree whose Maven wrapper is a stand-in: it writes the class path of this JVM, and
 * a line into a log.
 */
@Tag(Stages.BROKER)
@OnKafka
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
class LauncherTest {
    @TempDir
    private Path dir;

    private Path home;
    private Path script;

    @BeforeEach
    void makeSourceTree() throws IOException {
        home = Files.createDirectories(dir.resolve("source tree"));
        script = Files.createDirectories(home.resolve("scripts")).resolve("stormproof");
        Files.copy(Path.of("scripts", "stormproof"), script, StandardCopyOption.COPY_ATTRIBUTES);
        write("pom.xml", "<project/>");
        write("src/main/java/Source.java", "class Source {}");
        String jar = write("some.jar", "").toString();
        wrapper(
                "echo \"$@\" >> builds.log",
                "mkdir -p target/classes target/launcher",
                "printf %s '" + System.getProperty("java.class.path") + "' > target/launcher/runtime.classpath",
                "printf %s '" + jar + "' > target/launcher/provided.classpath");
    }

    @Test
    void itBuildsOnFirstUseOnly() throws Exception {
        Shell.Result first = launch(script, "--version");
        Shell.Result second = launch(script, "--version");

        assertThat(first.exitCode()).as(first.toString()).isZero();
        assertThat(first.out()).startsWith("stormproof ");
        assertThat(first.err()).contains("building, first use only");
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).isEmpty();
        assertThat(builds()).containsExactly("-q -B -Plauncher -Dspotless.check.skip=true process-classes");
    }

    @Test
    void itBuildsAgainWhenASourceIsNewer() throws Exception {
        launch(script, "--version");
        Path archive = write("target/launcher/archives/help.jsa", "of the classes before");
        Files.setLastModifiedTime(
                home.resolve("src/main/java/Source.java"),
                FileTime.from(Instant.now().plusSeconds(10)));

        assertThat(launch(script, "--version").err()).contains("the sources changed, building");
        assertThat(builds()).hasSize(2);
        assertThat(archive).doesNotExist();
    }

    @Test
    void itBuildsAgainWhenAJarIsGone() throws Exception {
        launch(script, "--version");
        Files.delete(home.resolve("some.jar"));

        launch(script, "--version");

        assertThat(builds()).hasSize(2);
    }

    @Test
    void itWorksThroughSymbolicLinks() throws Exception {
        Path absolute = Files.createSymbolicLink(dir.resolve("absolute"), script);
        Path bin = Files.createDirectory(dir.resolve("bin"));
        Path relative = Files.createSymbolicLink(bin.resolve("relative"), Path.of("..", "absolute"));

        launch(relative, "--version").ends(0);

        assertThat(launch(absolute, "--version").err()).isEmpty();
    }

    @Test
    void argumentsAndExitCodesPass() throws Exception {
        launch(script, "--version");

        Shell.Result result = launch(script, "dev", "inspect", "no such * file").ends(ExitCode.USAGE);

        assertThat(result.err()).isEqualTo("stormproof: there is no file no such * file; check its name\n");
    }

    @Test
    void aVerdictOfViolatedPassesAndAJvmThatDoesNotStartIsNone() throws Exception {
        wrapper(
                "mkdir -p target/classes target/launcher",
                "printf %s '" + System.getProperty("java.class.path") + "' > target/launcher/runtime.classpath",
                "printf %s '" + home.resolve("some.jar") + "' > target/launcher/provided.classpath");
        launch(script, "--version");
        Path jdk = jdk(
                "for option; do case $option in -D" + Main.VIOLATED_EXIT_CODE + "=*) exit ${option#*=} ;; esac; done");

        assertThat(launch(Map.of("JAVA_HOME", jdk.toString()), script, "audit").exitCode())
                .isEqualTo(ExitCode.VIOLATED);
        assertThat(launch(
                                Map.of(
                                        "JAVA_HOME",
                                        System.getProperty("java.home"),
                                        "STORMPROOF_JAVA_OPTS",
                                        "-XX:NoSuchOption"),
                                script,
                                "--version")
                        .exitCode())
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void aCheckoutThatCannotBeWrittenIsAFailureAndNoVerdict() throws Exception {
        write("target", "no directory");

        Shell.Result result = launch(script, "--version").ends(ExitCode.FAILED);

        assertThat(result.err()).contains("cannot be written");
    }

    /** TERM alone: a build that runs in the background inherits INT and HUP ignored, and a shell cannot trap these then. */
    @Test
    void aSignalGoesOnToTheJvmAndItsExitCodeComesBack() throws Exception {
        launch(script, "--version");
        Path jdk = jdk(
                "trap 'echo TERM; exit 143' TERM",
                "echo started",
                "i=0; while [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done");
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "dev", "broker");
        builder.environment().put("JAVA_HOME", jdk.toString());
        Process process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).isEqualTo("started");

        new ProcessBuilder("kill", "-s", "TERM", Long.toString(process.pid()))
                .start()
                .waitFor();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(out.readLine()).isEqualTo("TERM");
    }

    @Test
    void theDemonstrationOpensItsPageInTheBrowserOfTheDesktop() throws Exception {
        Path bin = dir.resolve("bin");
        for (String opener : List.of("xdg-open", "open")) {
            executable(bin.resolve(opener), "echo \"$@\" >> '" + dir.resolve("opened") + "'");
        }

        Shell.Result result = launch(
                        Map.of(
                                "JAVA_HOME",
                                System.getProperty("java.home"),
                                "PATH",
                                bin + File.pathSeparator + System.getenv("PATH"),
                                "DISPLAY",
                                ":99"),
                        script,
                        "demo",
                        "--seconds",
                        "4",
                        "--every",
                        "2")
                .ends(ExitCode.VERIFIED);

        assertThat(result.out()).containsPattern("The page that draws it opens: http://127.0.0.1:\\d+/");
        Path opened = dir.resolve("opened");
        Clients.await("a page", () -> opened.toFile().length() > 0);
        assertThat(Files.readAllLines(opened))
                .singleElement()
                .satisfies(page -> assertThat(result.out()).contains("opens: " + page + "\n"));
    }

    @Test
    void aBuildThatFailsIsShown() throws Exception {
        wrapper("echo '[ERROR] no network'", "exit 1");

        Shell.Result result = launch(script, "--version").ends(ExitCode.FAILED);

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("[ERROR] no network").contains("the build failed; all of its output is in ");

        wrapper("mkdir -p target/classes target/launcher", "exit 1");
        assertThat(launch(script, "--version").exitCode()).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void aJavaHomeThatIsNoneIsRefused() throws Exception {
        Shell.Result result =
                launch(Map.of("JAVA_HOME", dir.toString()), script, "--version").ends(ExitCode.USAGE);

        assertThat(result.err()).contains("JAVA_HOME (" + dir + ") is no JDK 17 or newer");
    }

    @Test
    void anOldJdkIsRefused() throws Exception {
        Path old = dir.resolve("jdk11");
        for (String tool : List.of("java", "javac")) {
            executable(old.resolve("bin").resolve(tool), "exit 1");
        }
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");

        assertThat(launch(Map.of("JAVA_HOME", old.toString()), script, "--version")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void onATerminalAVerdictHasItsColourUnlessNobodyWantsAny(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "events", 1);
        Path input = write("app.log", "a\nb\n");
        String server = kafka.bootstrapServers();
        Shell.here("dev", "emit", "--bootstrap-server", server, "--topic", topic, "--input", input.toString())
                .ends(0);
        String[] audit = {"audit", "--bootstrap-server", server, "--topic", topic};

        assertThat(launch(script, audit).out()).contains("VERIFIED").doesNotContain("\u001b");
        assertThat(onTerminal(Map.of("TERM", "xterm"), audit)).contains("\u001b[32mVERIFIED\u001b[0m");
        assertThat(onTerminal(Map.of("TERM", "xterm", "NO_COLOR", "1"), audit))
                .contains("VERIFIED")
                .doesNotContain("\u001b[32m");
    }

    /** What the launcher prints to a terminal, which util-linux's {@code script} is for it. */
    private String onTerminal(Map<String, String> environment, String... args) throws Exception {
        Path terminal = Path.of("/usr/bin/script");
        assumeThat(terminal).exists();
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", System.getProperty("java.home"));
        String line = "'" + script + "' " + String.join(" ", args);
        return launch(all, terminal, "-qec", line, "/dev/null").out();
    }

    private Path jdk(String... java) throws IOException {
        Path jdk = dir.resolve("jdk");
        executable(jdk.resolve("bin/javac"), "exit 1");
        executable(jdk.resolve("bin/java"), java);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.2\"\n");
        return jdk;
    }

    private Path write(String name, String content) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private void wrapper(String... lines) throws IOException {
        executable(home.resolve("mvnw"), lines);
    }

    private static void executable(Path file, String... lines) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(home.resolve("builds.log"));
    }

    private Shell.Result launch(Path launcher, String... args) throws IOException, InterruptedException {
        return launch(Map.of("JAVA_HOME", System.getProperty("java.home")), launcher, args);
    }

    private Shell.Result launch(Map<String, String> environment, Path launcher, String... args)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(args));
        File out = dir.resolve("out").toFile();
        File err = dir.resolve("err").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectOutput(out)
                .redirectError(err);
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Shell.Result(
                process.exitValue(),
                Files.readString(out.toPath(), StandardCharsets.UTF_8),
                Files.readString(err.toPath(), StandardCharsets.UTF_8),
                List.of());
    }
}
