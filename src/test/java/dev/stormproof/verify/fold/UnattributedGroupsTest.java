package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A flood of records of no stream is one finding. */
class UnattributedGroupsTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final long T = 1_700_000_000_000L;

    private final List<StrayRecord> found = new ArrayList<>();
    private final UnattributedGroups groups = new UnattributedGroups(found::add);

    private void read(long offset, Kind kind, long writtenMillis) {
        UnattributedRecord record = new UnattributedRecord(offset, kind, "at " + offset, writtenMillis);
        groups.add(StrayRecord.of(PARTITION, record));
        groups.passed(record);
    }

    private void readEvent(long offset, long writtenMillis) {
        CheckpointRecord any = ALICE.checkpoint(0, 0, 0).at(offset);
        groups.passed(new CheckpointRecord(offset, any.checkpoint(), any.chainHash(), writtenMillis));
    }

    private static StrayRecord group(long offset, Kind kind, long writtenMillis, long lastOffset, long count) {
        return new StrayRecord(PARTITION, offset, kind, "at " + offset, writtenMillis, lastOffset, count);
    }

    @Test
    void aThousandOfASecondAreOneWithTheFirstAndTheLastOffset() {
        for (int i = 0; i < 1_000; i++) {
            read(100 + 2 * i, Kind.UNSIGNED, T + i);
            readEvent(101 + 2 * i, T + i);
        }
        assertThat(found).isEmpty();
        assertThat(groups.firstOffset()).as("progress does not pass it").isEqualTo(100);

        readEvent(3_000, T + 1_000);

        assertThat(found).containsExactly(group(100, Kind.UNSIGNED, T, 2_098, 1_000));
        assertThat(found.get(0).id()).isEqualTo("orders/0/@100-2098/unsigned");
        assertThat(groups.firstOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void thoseOfOneTimeAreOne() {
        read(1, Kind.UNSIGNED, T);
        read(2, Kind.UNSIGNED, T);
        groups.end();
        assertThat(found).containsExactly(group(1, Kind.UNSIGNED, T, 2, 2));
    }

    @Test
    void aSecondLaterAnotherGroupBegins() {
        read(1, Kind.UNSIGNED, T);
        read(2, Kind.UNSIGNED, T + 999);
        read(3, Kind.UNSIGNED, T + 1_000);
        groups.end();
        assertThat(found).containsExactly(group(1, Kind.UNSIGNED, T, 2, 2), group(3, Kind.UNSIGNED, T + 1_000, 3, 1));
    }

    @Test
    void ofTwoKindsEachIsAGroupOfItsOwn() {
        read(1, Kind.UNSIGNED, T);
        read(2, Kind.MALFORMED_EVENT, T + 500);
        read(3, Kind.UNSIGNED, T + 600);
        read(4, Kind.MALFORMED_EVENT, T + 1_200);
        assertThat(found).containsExactly(group(1, Kind.UNSIGNED, T, 3, 2));
        assertThat(groups.firstOffset()).isEqualTo(2);
        groups.end();
        assertThat(found.get(1)).isEqualTo(group(2, Kind.MALFORMED_EVENT, T + 500, 4, 2));
    }

    /** An attacker writes any time. */
    @Test
    void anEarlierTimeBeginsNoOtherGroup() {
        read(1, Kind.UNSIGNED, T);
        read(2, Kind.UNSIGNED, T - 100_000);
        read(3, Kind.UNSIGNED, T);
        groups.end();
        assertThat(found).containsExactly(group(1, Kind.UNSIGNED, T, 3, 3));
    }

    @Test
    void withoutATimeEachIsAFindingOfItsOwn() {
        read(1, Kind.UNSIGNED, LogRecord.NO_TIME);
        read(2, Kind.UNSIGNED, LogRecord.NO_TIME);
        assertThat(found).hasSize(2);
        assertThat(groups.firstOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whereNothingFollowsItIsSaidAfterAWhile() {
        groups.tick(10_000);
        read(1, Kind.UNSIGNED, T);
        groups.tick(20_000);
        groups.tick(20_000 + UnattributedGroups.HOLD_MILLIS - 1);
        assertThat(found).isEmpty();
        groups.tick(20_000 + UnattributedGroups.HOLD_MILLIS);
        assertThat(found).containsExactly(group(1, Kind.UNSIGNED, T, 1, 1));
    }
}
