package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.Outcome;
import dev.stormproof.evidence.Statement;
import dev.stormproof.proof.sign.CheckpointKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a proof that nobody could check. */
class ProofWriterTest {
    private static final byte[] KEY = HexFormat.of().parseHex("302e020100300506032b657004220420" + "01".repeat(32));

    private final List<byte[]> files = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        ExitCode.VERIFIED + "," + ExitCode.INCONCLUSIVE,
        ExitCode.VIOLATED + "," + ExitCode.VIOLATED,
        ExitCode.INCONCLUSIVE + "," + ExitCode.INCONCLUSIVE
    })
    void whatIsTooLargeToBeCheckedLeavesNoFileAndIsNoSuccess(int verdict, int exitCode) {
        ProofWriter made = ProofWriter.of(verdict, "state less at once", ProofWriterTest::tooLarge, files::add);

        assertThat(made.exitCode()).isEqualTo(exitCode);
        assertThat(made.reason())
                .isEqualTo("it would have more than 1000000 lines, which no checker reads; state less at once");
        assertThat(files).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ExitCode.VERIFIED + "", ExitCode.VIOLATED + ""})
    void anyOtherIsHandedOverWithItsVerdict(int verdict) {
        byte[] proof = {1, 2};
        Supplier<byte[]> maker = () -> proof;
        assertThat(ProofWriter.of(verdict, "", maker, files::add)).isEqualTo(new ProofWriter(verdict, ""));
        assertThat(files).containsExactly(proof);
    }

    private static byte[] tooLarge() {
        return new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", "accidents")
                .add("partition", List.of("0 log=0-1"))
                .add("open", Collections.nCopies(1_000_000, "x"))
                .signed(0, 0, Outcome.INCONCLUSIVE, "s", CheckpointKey.ofPkcs8("auditor-1", KEY));
    }
}
