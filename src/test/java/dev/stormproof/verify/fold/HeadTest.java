package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.tree.Hash;
import org.junit.jupiter.api.Test;

class HeadTest {
    private final CheckpointRecord four =
            ALICE.checkpoint(4, 40, 42).promising(500).by("alice").at(10);
    private final Head head = Head.of(four);

    @Test
    void itIsWhatItsCheckpointStates() {
        assertThat(head)
                .isEqualTo(new Head(
                        10, 4, 42, four.chainHash(), 500, false, "alice", four.writtenMillis(), 10, true, true));
        assertThat(Head.of(four, 13, 8, false, false))
                .isEqualTo(new Head(
                        13, 4, 42, four.chainHash(), 500, false, "alice", four.writtenMillis(), 8, false, false));
        assertThat(Head.of(ALICE.checkpoint(4, 40, 42).closing().at(10)).closing())
                .isTrue();
    }

    @Test
    void itIsContinuedByWhatNamesItAndBeginsAtItsEnd() {
        CheckpointRecord next = ALICE.checkpoint(5, 42, 44).after(four).at(20);
        CheckpointRecord gap = ALICE.checkpoint(5, 43, 44).after(four).at(20);
        CheckpointRecord greater = ALICE.checkpoint(6, 42, 44).after(four).at(20);
        CheckpointRecord other = ALICE.checkpoint(5, 42, 44)
                .after(ALICE.checkpoint(4, 40, 43).at(10))
                .at(20);

        assertThat(head.isNamedBy(next.checkpoint())).isTrue();
        assertThat(head.isContinuedBy(next)).isTrue();
        assertThat(head.isNamedBy(gap.checkpoint())).isTrue();
        assertThat(head.isContinuedBy(gap)).isFalse();
        assertThat(head.isNamedBy(greater.checkpoint())).isFalse();
        assertThat(head.isContinuedBy(greater)).isFalse();
        assertThat(head.isNamedBy(other.checkpoint())).isFalse();
    }

    @Test
    void aStreamsBeginningIsContinuedByCheckpointZero() {
        Head beginning = Head.before(7);

        assertThat(beginning).isEqualTo(new Head(6, Head.BEGINNING, 0, Hash.empty(), 0, false, "", -1, 7, true, true));
        assertThat(beginning.isBeginning()).isTrue();
        assertThat(beginning.isContinuedBy(ALICE.checkpoint(0, 0, 0).at(9))).isTrue();
        assertThat(beginning.isContinuedBy(ALICE.checkpoint(1, 0, 0).at(9))).isFalse();
        assertThat(head.isBeginning()).isFalse();
    }

    @Test
    void aRangeBeginsWithItOrWithItsStream() {
        assertThat(head.readFrom()).isEqualTo(10);
        assertThat(Head.before(7).readFrom()).isEqualTo(7);
    }

    @Test
    void itOwesAnotherIfItPromisesOne() {
        assertThat(head.owesAnother()).isTrue();
        assertThat(Head.of(ALICE.checkpoint(4, 40, 42).at(10)).owesAnother()).isFalse();
        assertThat(Head.of(ALICE.checkpoint(4, 40, 42).promising(500).closing().at(10))
                        .owesAnother())
                .isFalse();
    }
}
