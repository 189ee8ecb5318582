package dev.stormproof.verify.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertText;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the verifier knows of a stream that fell silent with events after its last checkpoint. */
class UnsealedTailTest {
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
            #0 e0 e1 #1. e1 e2 e4       | 2 events, sequences 2 to 4, 1 missing from 3 on, contents as signed
            pe0 pe1 p#1 pe2 pe3         | 2 events, without sequences, contents as signed
            """)
    void itIsCountedFromTheLog(String drawn, String text) {
        assertThat(said(ChainLog.of(drawn).verify())).isEqualTo(text);

        ChainLog log = ChainLog.of(drawn).verify();
        log.drain();
        assertThat(said(log.restart(log.verifier().saved()).verify())).isEqualTo(text);
    }

    private static String said(ChainLog log) {
        List<Finding> unsealed = log.tick().passTime().passTime().drain().stream()
                .filter(finding -> finding.revision() == Finding.UNSEALED_REVISION)
                .toList();
        assertThat(unsealed).hasSize(1);
        Verdict verdict = (Verdict) unsealed.get(0);
        assertThat(verdict.interval().eventCount())
                .isEqualTo(verdict.interval().tail().events());
        return AlertText.tail(verdict.interval());
    }
}
