package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertText;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the verifier knows of a stream that fell silent with events behind its last checkpoint. */
class TailsTest {
    private static final long LONG = 10 * DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.withoutPromiseMillis();

    /** Whoever begins where the progress was says the same. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            #0 e0 e1 #1                 | no event behind the last checkpoint
            #0 e0 e1 #1 e2 e3           | 2 events, sequences 2 to 3, no gap, contents as signed
            #0 e0 e1 #1 e2 e4           | 2 events, sequences 2 to 4, 1 missing from 3 on, contents as signed
            #0 e0 e1 #1 e3              | 1 event, sequence 3, 1 missing from 2 on, content as signed
            #0 e0 e1 #1 e2 ~e3          | 2 events, sequences 2 to 3, no gap, 1 not as signed
            #0 e0 e1 #1 e2 e2 e3        | 3 events, sequences 2 to 3, no gap, 1 repeated, contents as signed
            #0 e0 e1 #1 e1 e2 e3        | 2 events, sequences 2 to 3, no gap, contents as signed
            #0 e0 e1 #1 e1              | no event behind the last checkpoint
            #0 e0 e1 #1 e2 #1 e3        | 2 events, sequences 2 to 3, no gap, contents as signed
            #0 e0 e1 #1 e2 #0 e0 e1 #1  | 1 event, sequence 2, no gap, content as signed
            pe0 pe1 p#1 pe2 pe3         | 2 events, without sequences, contents as signed
            """)
    void itIsCountedFromTheLog(String drawn, String text) {
        DrawnLog log = DrawnLog.of(drawn).verify();
        long progress = log.progress();
        assertThat(said(log)).isEqualTo(text);

        DrawnLog restarted = DrawnLog.of(drawn).restart(progress, 0, SavedHeads.NOTHING);
        assertThat(said(restarted.verify())).as("begun at " + progress).isEqualTo(text);
    }

    @Test
    void whatLiesBeyondAClosingCheckpointIsCountedAlone() {
        assertThat(said(DrawnLog.of("#0 e0 e1 #1. e1 e2 e4").verify()))
                .isEqualTo("2 events, sequences 2 to 4, 1 missing from 3 on, contents as signed");
    }

    private static String said(DrawnLog log) {
        log.tick(0).tick(LONG).tick(2 * LONG);
        List<Finding> unsealed = log.verifier().drainFindings().stream()
                .filter(finding -> finding.revision() == Finding.UNSEALED_REVISION)
                .toList();
        assertThat(unsealed).hasSize(1);
        Verdict verdict = (Verdict) unsealed.get(0);
        assertThat(verdict.interval().eventCount())
                .isEqualTo(verdict.interval().tail().events());
        return AlertText.tail(verdict.interval());
    }
}
