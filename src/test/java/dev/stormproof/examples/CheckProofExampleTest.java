package dev.stormproof.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of proofs in examples/python: the second implementation of docs/EVIDENCE.md. */
class CheckProofExampleTest {
    private static final Path EXAMPLE = Path.of("examples/python/check_proof.py");
    private static final String VERIFIER = "auditor-1:MCowBQYDK2VwAyEAebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=";
    private static final Path REFUSED = Path.of("src/test/resources/evidence-refused");

    @Test
    void itHasAtMost200Lines() throws Exception {
        assertThat(Files.readAllLines(EXAMPLE)).hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void itProvesTheGoldenProofsAndRefusesEachWithAFlippedBit() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "python3", "src/test/python/check_golden.py", "src/test/resources/evidence", REFUSED.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PYTHONPATH", "examples/python");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process python = builder.start();
        List<String> lines = new String(python.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(python.waitFor()).isZero();
        List<String> expected = new ArrayList<>(List.of(
                "receipt-of-a-far-time.proof proven",
                "receipt-of-a-violated-interval.proof violated",
                "receipt-of-nulls.proof proven",
                "receipt-unjudged.proof proven",
                "receipt-without-content.proof proven",
                "receipt.proof verified",
                "statement-of-a-weak-range.proof violated",
                "statement-of-each-line.proof inconclusive",
                "statement-of-strong-streams.proof verified",
                "statement.proof verified"));
        try (Stream<Path> refused = Files.list(REFUSED)) {
            refused.sorted().forEach(file -> expected.add(file.getFileName() + " refused"));
        }
        assertThat(lines).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, statement.proof, A:AA==", "64, missing.proof, A:AA==", "64, statement.proof, A", "64, '', A:AA=="})
    void itEndsAsCheckDoes(int exitCode, String proof, String key) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("python3", EXAMPLE.toString(), "--producer-key", key, "--verifier-key", VERIFIER));
        if (!proof.isEmpty()) {
            command.add("src/test/resources/evidence/" + proof);
        }
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(python.getInputStream().readAllBytes(), UTF_8);
        assertThat(python.waitFor()).as(said).isEqualTo(exitCode);
    }
}
