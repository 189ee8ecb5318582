package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Open;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.FindingText;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The streams of a range that end without a checkpoint, or with one that is not judged. */
class OpenEndsTest {
    private static UnsealedTail end(long emitter) {
        return new UnsealedTail(new StreamId("t", 0, emitter), "", 0, 0, 1, 2, emitter % 2 == 0);
    }

    @Test
    void aThousandAreNamedAndAllAreCounted() {
        List<UnsealedTail> ends =
                LongStream.rangeClosed(1, 3_000).mapToObj(OpenEndsTest::end).toList();

        Open open = Open.of(ends, Set.of(new StreamId("t", 0, 1), new StreamId("t", 0, 2)));

        assertThat(open.streams()).isEqualTo(3_000);
        assertThat(open.events()).isEqualTo(6_000);
        assertThat(open.reportedStreams()).isEqualTo(1_501);
        assertThat(open.reportedEvents()).isEqualTo(3_002);
        assertThat(open.named()).isEqualTo(ends.subList(0, Open.MOST_NAMED));
    }

    @Test
    void eventsThatContradictTheirHeadersAreCountedByTheirFindingAlone() {
        SimulatedLog log = ChainLog.of("#0 e0 e1 #1 e2 ~e3").log();
        long end = log.endOffset();
        List<Finding> found = new ArrayList<>();
        Range range = new Range(new TopicPartition("orders", 0), 0, end, end, end, 1);
        Open open = SimulatedLog.audit(log, log, range, found::add).run().open();

        assertThat(found).last().isInstanceOf(Violated.class);
        assertThat(open.events()).isEqualTo(2);
        assertThat(open.reportedEvents()).isEqualTo(2);
        assertThat(open.reportedStreams()).isEqualTo(1);
    }

    /** A flood of them would be as many findings as records. */
    @Test
    void strayRecordsWithoutATimeAreOneFindingOfEachKind() {
        SimulatedLog log = ChainLog.of("x x ? #0 e0 e1 #1. x").log();
        long end = log.endOffset();
        Range range = new Range(new TopicPartition("orders", 0), 0, end, end, end, 1);

        assertThat(log.audited(RangeCase.Origin.NONE, range, InactivityTimeouts.DEFAULT))
                .filteredOn(StrayRecord.class::isInstance)
                .extracting(Finding::id)
                .containsExactly("orders/0/@0-7/unsigned", "orders/0/@2/oversized");
    }

    /** What an audit of a whole log finds right after it was written. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            #0 e0 #1           | Verified 0 @0..0 ► UNSEALED 1 @2 of 2
            #0 e0 #1 e2        | Verified 0 @0..0 ► UNSEALED 1 @2 of 2
            #0 e0 e1 #1 #3     | Verified 0 @0..0 ► Verified 1 @1..3 ► UNSEALED 3 @4 of 2
            pe0 p#1            | UNSEALED p @1 of 2
            #0 e0 #1.          | Verified 0 @0..0 ► Violated 1 @2: LOST 1
            #0 e0 e1 #1 e2     | Verified 0 @0..0 ► Verified 1 @1..3
            """)
    void anIntervalThatLaterRecordsDecideIsNotSealedYet(String drawing, String found) {
        SimulatedLog log = ChainLog.of(drawing).log();
        long end = log.endOffset();
        Range range = new Range(new TopicPartition("orders", 0), 0, end, end, end, 1);
        List<Finding> findings = log.audited(RangeCase.Origin.NONE, range, InactivityTimeouts.DEFAULT);

        assertThat(findings.stream().map(FindingText::placed).collect(Collectors.joining(" ► ")))
                .isEqualTo(found);
    }
}
