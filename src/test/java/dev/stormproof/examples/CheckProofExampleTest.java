package dev.stormproof.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of proofs in examples/python: the second implementation of docs/EVIDENCE.md. */
class CheckProofExampleTest {
    private static final Path EXAMPLE = Path.of("examples/python/check_proof.py");

    @Test
    void itHasAtMost150Lines() throws Exception {
        assertThat(Files.readAllLines(EXAMPLE)).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void itProvesTheGoldenProofsAndRefusesEachWithAFlippedBit() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "python3",
                        "src/test/python/check_golden.py",
                        "src/test/resources/evidence",
                        "src/test/resources/evidence-refused")
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PYTHONPATH", "examples/python");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process python = builder.start();
        List<String> lines = new String(python.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(python.waitFor()).isZero();
        assertThat(lines)
                .containsExactly(
                        "receipt-of-nulls.proof proven",
                        "receipt-unjudged.proof proven",
                        "receipt-without-content.proof proven",
                        "receipt.proof verified",
                        "statement.proof verified",
                        "receipt-of-a-recovered-end.proof refused",
                        "receipt-of-a-weak-tree.proof refused");
    }
}
