package dev.stormproof.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How checkpoints hang together that repeat, lie, and come late. */
class SuccessionTest {
    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 50).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 50, 60).after(four).at(20);
    private final CheckpointRecord six = ALICE.checkpoint(6, 60, 70).after(five).at(60);

    private static Succession of(CheckpointRecord... records) {
        return new Succession(List.of(records));
    }

    private static CheckpointRecord again(CheckpointRecord record, long offset) {
        return new CheckpointRecord(offset, record.checkpoint(), record.chainHash());
    }

    @Test
    void thePredecessorIsTheNamedOneHoweverBigNumbersInBetweenAre() {
        CheckpointRecord forged = ALICE.checkpoint(900, 50, 60).at(30);
        assertThat(of(four, five, forged, six).predecessorOf(six)).contains(five);
    }

    @Test
    void ofTwoStatementsOfTheNumberBeforeTheNamedOneIsThePredecessor() {
        CheckpointRecord other = ALICE.checkpoint(5, 50, 60).by("other").at(15);
        assertThat(of(four, other, five, six).predecessorOf(six)).contains(five);
    }

    @Test
    void thePredecessorCountsAtItsFirstPlace() {
        assertThat(of(four, five, again(five, 40), six).predecessorOf(six)).contains(five);
    }

    @Test
    void withoutTheNamedOneItIsTheGreatestSmallerNumber() {
        CheckpointRecord three = ALICE.checkpoint(3, 30, 40).at(15);
        assertThat(of(four, three, six).predecessorOf(six)).contains(four);
    }

    @Test
    void anotherStatementOfTheSameNumberIsNoPredecessor() {
        CheckpointRecord other = ALICE.checkpoint(6, 60, 70).by("other").at(30);
        assertThat(of(four, other, six).predecessorOf(six)).contains(four);
    }

    @Test
    void ofTwoStatementsOfASmallerNumberTheFirstIsThePredecessor() {
        CheckpointRecord other = ALICE.checkpoint(4, 40, 50).by("other").at(30);
        assertThat(of(four, other, six).predecessorOf(six)).contains(four);
    }

    @Test
    void whatLiesBehindIsNoPredecessor() {
        assertThat(of(six, again(five, 70)).predecessorOf(six)).isEmpty();
    }

    @Test
    void theSuccessorIsTheFirstOneBehindOfTheSameNumberOrAGreaterOne() {
        CheckpointRecord smaller = ALICE.checkpoint(3, 30, 40).at(25);
        CheckpointRecord other = ALICE.checkpoint(5, 50, 60).by("other").at(30);
        assertThat(of(four, five, smaller, other, six).successorOf(five)).contains(other);
        assertThat(of(four, five, smaller, six).successorOf(five)).contains(six);
    }

    @Test
    void theLastOneHasNoSuccessor() {
        assertThat(of(four, five).successorOf(five)).isEmpty();
    }

    @Test
    void aRepetitionIsNoSuccessor() {
        Succession succession = of(four, five, again(five, 30), six);
        assertThat(succession.successorOf(five)).contains(six);
        assertThat(succession.repeats(again(five, 30))).isTrue();
        assertThat(succession.repeats(five)).isFalse();
    }

    @Test
    void aLateOneIsNoSuccessor() {
        CheckpointRecord other = ALICE.checkpoint(5, 50, 60).by("other").at(65);
        CheckpointRecord late = again(five, 68);
        CheckpointRecord seven = ALICE.checkpoint(7, 70, 80).after(six).at(80);
        Succession succession = of(four, six, other, late, seven);
        assertThat(succession.isLate(late)).isTrue();
        assertThat(succession.isLate(six)).isFalse();
        assertThat(succession.isLate(other)).as("another of the same number").isFalse();
        assertThat(succession.successorOf(other)).contains(seven);
    }

    @Test
    void neitherNumberNorHashAloneNamesAPredecessor() {
        CheckpointRecord farAhead = ALICE.checkpoint(9, 50, 60).after(four).at(30);
        CheckpointRecord strange = ALICE.checkpoint(5, 50, 60).at(30);
        assertThat(Succession.names(five, four)).isTrue();
        assertThat(Succession.names(farAhead, four)).isFalse();
        assertThat(Succession.names(strange, four)).isFalse();
    }
}
