package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lets the Python implementation of docs/FORMAT.md make the vectors again; it needs nothing but Python 3.9. */
class SecondImplementationTest {
    private static final Path SCRIPT = Path.of("src", "test", "python", "vectors.py");
    private static final Path VECTORS = Path.of("src", "test", "resources", "vectors");

    @TempDir
    private Path directory;

    @Test
    void makesTheSameVectors() throws Exception {
        Path output = directory.resolve("output");
        Process python = start(output);
        try {
            assertThat(python.waitFor(2, TimeUnit.MINUTES)).as("ends in time").isTrue();
        } finally {
            python.destroyForcibly();
        }
        assertThat(python.exitValue()).as(Files.readString(output)).isZero();
        assertThat(output).content().contains("10 files of vectors");
    }

    private static Process start(Path output) {
        try {
            return new ProcessBuilder("python3", "-B", SCRIPT.toString(), "check", VECTORS.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException notThere) {
            return abort("no python3 here: the vectors were not made again by the second implementation");
        }
    }
}
