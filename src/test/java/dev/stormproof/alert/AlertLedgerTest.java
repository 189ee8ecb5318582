package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import org.junit.jupiter.api.Test;

class AlertLedgerTest {
    private final AlertLedger ledger = new AlertLedger();

    @Test
    void beyondItsBoundTheOldestUnsealedStreamIsForgotten() {
        for (int stream = 0; stream <= AlertLedger.MOST_OPEN; stream++) {
            assertThat(ledger.publish(unsealed(stream))).isTrue();
            ledger.written(unsealed(stream), new Place(0, stream));
        }

        assertThat(ledger.places(0)).hasSize(AlertLedger.MOST_OPEN).doesNotContain(new Place(0, 0));
        assertThat(ledger.resolve(verified(0))).isFalse();
        assertThat(ledger.resolve(verified(1))).isTrue();
        assertThat(ledger.publish(unsealed(1))).isFalse();
    }

    /** A task that starts again may begin within a group, of which it finds the rest. */
    @Test
    void theRestOfAGroupThatWasPublishedIsKnown() {
        AlertLedger ledger = new AlertLedger();
        assertThat(ledger.publish(strays(150, 170, 20))).isTrue();
        assertThat(ledger.publish(strays(150, 170, 20))).isFalse();
        assertThat(ledger.publish(strays(161, 170, 9))).isFalse();
        assertThat(ledger.publish(strays(161, 190, 24)))
                .as("which has more than that")
                .isTrue();
        assertThat(ledger.publish(strays(191, 250, 30))).isTrue();
        assertThat(ledger.publish(strays(155, 240, 50)))
                .as("which a fast reader finds as one")
                .isFalse();
        assertThat(ledger.publish(strays(251, 251, 1))).isTrue();

        ledger.forgetBefore(252);
        assertThat(ledger.publish(strays(150, 170, 20)))
                .as("what progress has passed is forgotten")
                .isTrue();
    }

    private static StrayRecord strays(long offset, long lastOffset, long count) {
        return new StrayRecord(
                new PartitionId("orders", 1), offset, UnattributedRecord.Kind.UNSIGNED, "", 1, lastOffset, count);
    }

    private static Inconclusive unsealed(long stream) {
        return new Inconclusive(interval(stream, 5), Inconclusive.Reason.UNSEALED, "");
    }

    private static Verified verified(long stream) {
        return new Verified(interval(stream, 1_000_000), Verified.Basis.MATCH, 0);
    }

    private static IntervalId interval(long stream, long offset) {
        return Intervals.interval(new StreamId("orders", 1, 1 + stream), 3, offset, 0, 10);
    }
}
