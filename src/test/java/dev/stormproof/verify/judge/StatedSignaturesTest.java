package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What checkpoints say of sequences, by their leaves. */
class StatedSignaturesTest {
    private static Checkpoint sealed(CheckpointRecord record) {
        return record.checkpoint();
    }

    private static StatedSignatures stated(CheckpointRecord target, CheckpointRecord... others) {
        return new StatedSignatures(
                sealed(target),
                Stream.of(others).map(CheckpointRecord::checkpoint).toList());
    }

    @Test
    void aCheckpointTellsFromItsFirstSequenceToItsLast() {
        StatedSignatures stated = stated(ALICE.checkpoint(1, 10, 13).at(5));
        assertThat(stated.of(9)).isEqualTo(Hash.empty());
        assertThat(stated.of(10)).isEqualTo(signature(10));
        assertThat(stated.of(12)).isEqualTo(signature(12));
        assertThat(stated.of(13)).isEqualTo(Hash.empty());
    }

    @Test
    void anotherCheckpointTellsOfItsOwnSequences() {
        StatedSignatures stated = stated(
                ALICE.checkpoint(1, 10, 13).at(5), ALICE.checkpoint(3, 16, 18).at(15));
        assertThat(stated.of(17)).isEqualTo(signature(17));
        assertThat(stated.of(14)).isEqualTo(Hash.empty());
    }

    @Test
    void withoutLeavesACheckpointTellsNothingAndNoOtherSpeaksOfItsSequences() {
        CheckpointRecord target = ALICE.checkpoint(1, 10, 13).withoutLeaves().at(5);
        assertThat(stated(target).of(11)).isEqualTo(Hash.empty());
        assertThat(stated(target, ALICE.checkpoint(1, 10, 13).at(7)).of(11)).isEqualTo(Hash.empty());
    }

    @Test
    void leavesThatAreNotTheRootsTellNothing() {
        Hash wrong = Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        CheckpointRecord target = ALICE.checkpoint(1, 10, 13).withRoot(wrong).at(5);
        assertThat(stated(target).hasLeavesOf(sealed(target))).isFalse();
        assertThat(stated(target).of(11)).isEqualTo(Hash.empty());
    }

    @Test
    void uncertainSequencesHaveNoLeaf() {
        StatedSignatures stated = stated(ALICE.checkpoint(1, 10, 20)
                .uncertainOf(new SequenceRange(12, 14), new SequenceRange(16, 17))
                .at(5));
        assertThat(stated.of(11)).isEqualTo(signature(11));
        assertThat(stated.of(12)).isEqualTo(Hash.empty());
        assertThat(stated.of(13)).isEqualTo(Hash.empty());
        assertThat(stated.of(14)).isEqualTo(signature(14));
        assertThat(stated.of(15)).isEqualTo(signature(15));
        assertThat(stated.of(16)).isEqualTo(Hash.empty());
        assertThat(stated.of(17)).isEqualTo(signature(17));
        assertThat(stated.of(19)).isEqualTo(signature(19));
    }

    @Test
    void theFirstCertainSequenceLiesBehindTheRangeAround() {
        Checkpoint sealed = sealed(ALICE.checkpoint(1, 10, 20)
                .uncertainOf(new SequenceRange(12, 14), new SequenceRange(16, 17))
                .at(5));
        assertThat(StatedSignatures.certainFrom(sealed, 11)).isEqualTo(11);
        assertThat(StatedSignatures.certainFrom(sealed, 12)).isEqualTo(14);
        assertThat(StatedSignatures.certainFrom(sealed, 14)).isEqualTo(14);
        assertThat(StatedSignatures.certainFrom(sealed, 16)).isEqualTo(17);
    }
}
