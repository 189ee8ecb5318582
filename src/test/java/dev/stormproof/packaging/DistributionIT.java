package dev.stormproof.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The tar.gz that {@code package} made, unpacked into a directory with a space in its name that cannot be written. */
@Tag(Stages.CLUSTER)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
class DistributionIT {
    @TempDir
    private static Path dir;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        Path parent = Files.createDirectory(dir.resolve("un packed"));
        String archive = Objects.requireNonNull(System.getProperty("stormproof.distribution"));
        run(parent, "tar", "xzf", archive).ends(0);
        try (Stream<Path> unpacked = Files.list(parent)) {
            home = unpacked.findFirst().orElseThrow();
        }
        run(dir, "chmod", "-R", "a-w", home.toString()).ends(0);
    }

    @AfterAll
    static void makeDeletable() throws Exception {
        run(dir, "chmod", "-R", "u+w", home.toString()).ends(0);
    }

    @Test
    void aJavaWithoutACompilerIsEnoughForAWholeRun() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("stormproof"), home.resolve("bin/stormproof"));

        Shell.Result checked = run(dir, link.toString(), "config", "check", home + "/conf/verify.properties");
        Shell.Result verified = run(dir, link.toString(), "run", "--events", "60", "--inject", "lose=1");

        assertThat(checked.exitCode()).as(checked.toString()).isZero();
        assertThat(verified.exitCode()).as(verified.toString()).isEqualTo(1);
        assertThat(verified.out()).contains("VIOLATED").containsPattern("lost +sequence");
        assertThat(verified.err()).doesNotContain("SLF4J");
    }

    @Test
    void itHoldsTheJarsThatWereTestedAndSaysWhatTheyAre() throws Exception {
        Set<String> tested = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> String.valueOf(Path.of(entry).getFileName()))
                .collect(Collectors.toSet());
        Set<String> jars = new TreeSet<>();
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("stormproof-"))
                    .forEach(jars::add);
        }
        JsonNode sbom = new ObjectMapper()
                .readTree(home.resolve("licences/stormproof-sbom.json").toFile());
        Set<String> components = new TreeSet<>();
        sbom.get("components")
                .forEach(each -> components.add(
                        each.get("name").asText() + "-" + each.get("version").asText() + ".jar"));

        assertThat(jars).hasSizeGreaterThan(50).isSubsetOf(tested).isSubsetOf(components);
        assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(Files.readString(home.resolve("licences/THIRD-PARTY.txt")))
                .contains("hash4j")
                .doesNotContainIgnoringCase("unknown license");
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("docs/CONFIGURATION.md")).exists();
        assertThat(home.resolve("storm")).isDirectoryContaining("glob:**-uber.jar");
    }

    /** Runs a command with a Java that has no compiler, no home, and a PATH of the system alone. */
    private static Shell.Result run(Path directory, String... command) throws IOException, InterruptedException {
        Path java = dir.resolve("jre/bin/java");
        if (!Files.exists(java)) {
            Files.createDirectories(java.getParent());
            Path real = Path.of(System.getProperty("java.home"));
            Files.createSymbolicLink(java, real.resolve("bin/java"));
            Files.copy(real.resolve("release"), dir.resolve("jre/release"));
        }
        Path out = Files.createTempFile(dir, "out", "");
        Path err = Files.createTempFile(dir, "err", "");
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", dir.resolve("jre/bin") + ":/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", dir.resolve("jre").toString());
        Process process = builder.start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        return new Shell.Result(
                process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8), List.of());
    }
}
