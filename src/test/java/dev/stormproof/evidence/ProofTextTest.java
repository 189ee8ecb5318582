package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written can be read: no proof is made that is larger. */
class ProofTextTest {
    private static final int MANY = 1_000_000;

    @Test
    void aProofHasUpToTheMostBytesAndNoneMore() {
        int size = ofLines(10, MANY, MANY).unsigned().length;

        assertThat(ofLines(10, size, MANY).unsigned()).hasSize(size);
        assertThatThrownBy(() -> ofLines(10, size - 1, MANY))
                .isInstanceOf(OversizedProofException.class)
                .hasMessage("it would have more than " + (size - 1) + " bytes, which no checker reads");
    }

    @Test
    void theSignaturesOwnLinesCountAsWell() {
        int size = ofLines(10, MANY, MANY).signed(Proofs.VERIFIER).length;

        assertThat(ofLines(10, size, MANY).signed(Proofs.VERIFIER)).hasSize(size);
        ProofText smaller = ofLines(10, size - 1, MANY);
        assertThatThrownBy(() -> smaller.signed(Proofs.VERIFIER)).isInstanceOf(OversizedProofException.class);
    }

    @Test
    void aProofHasUpToTheMostLinesAndNoneMore() {
        assertThat(new String(ofLines(10, MANY, 11).unsigned(), UTF_8).lines()).hasSize(11);
        assertThatThrownBy(() -> ofLines(10, MANY, 10))
                .isInstanceOf(OversizedProofException.class)
                .hasMessage("it would have more than 10 lines, which no checker reads");
    }

    /** What is too large is not turned into text first. */
    @Test
    void bytesThatHaveNoRoomAreRefusedAndOthersAreNot() {
        for (int bytes = 1; bytes < 9; bytes++) {
            byte[] some = new byte[bytes];
            ProofText all = new ProofText(MANY, MANY);
            all.addBytes("key", some);
            int size = all.unsigned().length;

            new ProofText(size, MANY).addBytes("key", some);
            assertThatThrownBy(() -> new ProofText(size - 1, MANY).addBytes("key", some))
                    .isInstanceOf(OversizedProofException.class);
        }
    }

    @Test
    void aStatementOfMoreLinesThanAreReadIsNotMade() {
        Statement statement = new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", "accidents")
                .add("partition", List.of("0 log=0-1"))
                .add("open", Collections.nCopies(ProofReader.MOST_LINES, "x"));
        assertThatThrownBy(() -> statement.signed(0, 0, Outcome.INCONCLUSIVE, "s", Proofs.VERIFIER))
                .isInstanceOf(OversizedProofException.class)
                .hasMessageContaining("more than 1000000 lines");
    }

    @Test
    void aReceiptOfAnEventThatIsTooLargeIsNotMade() {
        byte[] value = new byte[ProofCheck.MAX_SIZE_BYTES / 4 * 3];
        Receipt receipt =
                Receipt.ofContent(1, null, value, new AuditPath(List.of()), Proofs.checkpoint(1), new byte[100]);
        assertThatThrownBy(receipt::unjudged).isInstanceOf(OversizedProofException.class);
    }

    private static ProofText ofLines(int lines, int mostBytes, int mostLines) {
        ProofText text = new ProofText(mostBytes, mostLines);
        for (int line = 0; line < lines; line++) {
            text.add("open", "line " + line);
        }
        return text;
    }
}
