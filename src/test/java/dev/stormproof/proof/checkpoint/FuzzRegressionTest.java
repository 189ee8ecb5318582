package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Runs the fuzz targets on what earlier fuzzing kept, and on the vectors.
 *
 * <p>Fuzz further, for 600 s, with {@code ./mvnw -Pfuzz process-test-classes -Dfuzz.target=Format2Fuzz -Dfuzz.seconds=600};
 * what is found goes to target/fuzz and, once it is understood, to src/test/resources/fuzz.
 */
class FuzzRegressionTest {
    private static final Path INPUTS = Path.of("src", "test", "resources", "fuzz");

    @Test
    void format1() throws Exception {
        run("Format1Fuzz", Format1Fuzz::fuzzerTestOneInput, List.of("format1.json", "format1-damaged.json"));
    }

    @Test
    void format2() throws Exception {
        run(
                "Format2Fuzz",
                Format2Fuzz::fuzzerTestOneInput,
                List.of("format2.json", "format2-damaged.json", "format2-untrusted.json"));
    }

    @Test
    void eventHeader() throws Exception {
        run(
                "EventHeaderFuzz",
                EventHeaderFuzz::fuzzerTestOneInput,
                List.of("event-headers.json", "event-headers-damaged.json"));
    }

    private static void run(String target, Consumer<byte[]> oneInput, List<String> vectors) throws IOException {
        for (String file : vectors) {
            Vectors.cases(file).forEach(vector -> oneInput.accept(Vectors.bytes(vector.getPayload(), "bytes")));
        }
        List<Path> inputs;
        try (Stream<Path> files = Files.list(INPUTS.resolve(target))) {
            inputs = files.toList();
        }
        assertThat(inputs).isNotEmpty();
        for (Path input : inputs) {
            oneInput.accept(Files.readAllBytes(input));
        }
    }
}
