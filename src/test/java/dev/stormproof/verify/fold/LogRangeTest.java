package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A range [5, 30) in which the interval (10, 20) is to be judged. */
class LogRangeTest {
    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 44).after(four).at(20);
    private final CheckpointRecord six = ALICE.checkpoint(6, 44, 44).after(five).at(29);
    private final RangeQuery query = new RangeQuery(ALICE.stream(), 5, 11, 20, 30, 42);
    private final LogRange range = new LogRange(query, 7);

    private static OversizedRecords unread(long firstOffset, long offset) {
        return new OversizedRecords(firstOffset, offset, offset - firstOffset + 1, "?", LogRecord.NO_TIME);
    }

    private void addWhole() {
        assertThat(range.add(ALICE.event(9, 41))).isTrue();
        assertThat(range.add(four)).isTrue();
        assertThat(range.add(ALICE.event(11, 42))).isTrue();
        assertThat(range.add(ALICE.event(19, 43))).isTrue();
        assertThat(range.add(five)).isTrue();
        assertThat(range.add(ALICE.event(21, 44))).isTrue();
        assertThat(range.add(six)).isTrue();
    }

    @Test
    void itKeepsWhatIsOfItsStream() {
        addWhole();

        assertThat(range.beginOffset()).isEqualTo(7);
        assertThat(range.checkpoints()).containsExactly(four, five, six);
        assertThat(range.events()).hasSize(4);
        assertThat(range.at(10)).contains(four);
        assertThat(range.at(11)).isEmpty();
        assertThat(range.target()).contains(five);
        assertThat(range.isTooLarge()).isFalse();
        assertThat(range.unreadAfter(10)).isZero();
        Evidence evidence = range.evidence(List.of(five));
        assertThat(evidence).isEqualTo(new Evidence(7, List.of(five), range.events()));
    }

    @Test
    void itsTreeIsOverWhatLiesBetweenTheHeadAndTheCheckpoint() {
        addWhole();
        range.add(ALICE.event(20, 44));

        assertThat(range.matches(five)).isTrue();
        assertThat(range.matches(four)).isFalse();
        assertThat(range.firstOffset()).isEqualTo(11);
    }

    @Test
    void theRestIsOfOthers() {
        assertThat(range.add(BOB.event(11, 42))).isFalse();
        assertThat(range.add(BOB.checkpoint(5, 42, 44).at(20))).isFalse();
        assertThat(range.add(new UnattributedRecord(12, UnattributedRecord.Kind.UNSIGNED, "x", LogRecord.NO_TIME)))
                .isFalse();

        assertThat(range.events()).isEmpty();
        assertThat(range.checkpoints()).isEmpty();
        assertThat(range.target()).isEmpty();
        assertThat(range.firstOffset()).isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource({"9, 10, 0", "10, 11, 2", "11, 12, 2", "19, 25, 7", "20, 25, 0"})
    void whatWasNotReadCountsBetweenTheHeadAndTheCheckpoint(long firstOffset, long offset, long count) {
        assertThat(range.add(unread(firstOffset, offset))).isTrue();
        range.add(ALICE.event(13, 42));
        range.add(ALICE.event(14, 43));

        assertThat(range.unreadAfter(10)).isEqualTo(count);
        assertThat(range.matches(five)).isEqualTo(count == 0);
    }

    @Test
    void ifItIsTooLargeTheTreeIsAllThatIsKnown() {
        range.add(four);
        range.add(ALICE.event(11, 42));
        range.add(unread(8, 8));
        range.dropRecords();
        range.add(ALICE.event(12, 43));
        range.add(unread(25, 25));
        range.add(five);

        assertThat(range.isTooLarge()).isTrue();
        assertThat(range.events()).isEmpty();
        assertThat(range.checkpoints()).isEmpty();
        assertThat(range.unreadAfter(10)).isZero();
        assertThat(range.target()).contains(five);
        assertThat(range.matches(five)).isTrue();
    }
}
