package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import org.junit.jupiter.api.Test;

class AlertLedgerTest {
    private final AlertLedger ledger = new AlertLedger();

    @Test
    void beyondItsBoundTheOldestUnsealedStreamIsForgotten() {
        for (int stream = 0; stream <= AlertLedger.MOST_UNSEALED; stream++) {
            assertThat(ledger.publish(unsealed(stream))).isTrue();
            ledger.written(unsealed(stream), new Place(0, stream));
        }

        assertThat(ledger.places(0)).hasSize(AlertLedger.MOST_UNSEALED).doesNotContain(new Place(0, 0));
        assertThat(ledger.resolve(verified(0))).isFalse();
        assertThat(ledger.resolve(verified(1))).isTrue();
        assertThat(ledger.publish(unsealed(1))).isFalse();
    }

    private static Inconclusive unsealed(long stream) {
        return new Inconclusive(interval(stream, 5), Inconclusive.Reason.UNSEALED, "");
    }

    private static Verified verified(long stream) {
        return new Verified(interval(stream, 1_000_000), Verified.Basis.MATCH);
    }

    private static SealedInterval interval(long stream, long offset) {
        return new SealedInterval(new StreamId("orders", 1, 1 + stream), 3, offset, 0, 10);
    }
}
