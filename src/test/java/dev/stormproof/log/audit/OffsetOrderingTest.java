package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffsetOrderingTest {
    private final List<Long> handed = new ArrayList<>();
    private final OffsetOrdering order = new OffsetOrdering(finding -> handed.add(OffsetOrdering.offsetOf(finding)));

    private static Finding about(long offset) {
        return new MissedRecords(new PartitionId("orders", 0), offset, offset + 1);
    }

    private static Finding violated(long offset, boolean open) {
        IntervalId interval = Intervals.interval(new StreamId("orders", 0, 7), offset, offset, 0, 10);
        return new Violated(interval, open, true, 0, List.of(), Hop.LOG);
    }

    @Test
    void whatIsDecidedIsHandedOnInOrder() {
        long shift = OffsetOrdering.offsetOf(about(0));
        for (long offset : new long[] {40, 25, 60, 31}) {
            order.add(about(offset - shift));
        }
        order.handBefore(40);
        assertThat(handed).containsExactly(25L, 31L);
        order.add(about(50 - shift));
        order.handAll();
        assertThat(handed).containsExactly(25L, 31L, 40L, 50L, 60L);
    }

    @Test
    void whatLiesAfterAnOpenOneWaitsUntilThatIsFinal() {
        order.add(violated(33, true));
        order.add(violated(25, false));
        order.add(violated(40, false));
        order.handBefore(100);
        assertThat(handed).containsExactly(25L);
        order.add(violated(33, false));
        order.handBefore(100);
        assertThat(handed).containsExactly(25L, 33L, 40L);
    }

    @Test
    void atTheEndAnOpenOneIsHandedOnAsItStandsInItsPlace() {
        order.add(violated(33, true));
        order.add(violated(40, false));
        order.handAll();
        assertThat(handed).containsExactly(33L, 40L);
    }

    @Test
    void ofOneOffsetTheyAreHandedOnAsTheyWereFound() {
        List<Finding> all = new ArrayList<>();
        OffsetOrdering ordering = new OffsetOrdering(all::add);
        StrayRecord strays = new StrayRecord(new PartitionId("orders", 0), 3, Kind.UNSIGNED, "", 0, 9, 2);
        ordering.add(strays);
        ordering.add(about(3));
        ordering.handBefore(4);
        assertThat(all).containsExactly(strays, about(3));
    }

    @Test
    void moreThanTheBoundIsNotHeld() {
        order.add(violated(0, true));
        for (long offset = 1; offset <= OffsetOrdering.MOST_HELD + 2; offset++) {
            order.add(violated(offset, false));
        }
        assertThat(handed).containsExactly(1L, 2L);
    }
}
