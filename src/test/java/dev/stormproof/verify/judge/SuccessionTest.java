package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.StreamRecords.Draft;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How checkpoints hang together that repeat, lie, and come late. In a log {@code 5} is checkpoint 5, which names checkpoint 4,
 * as 6 and 7 name the one before; {@code 5x} is another statement of that number, which names none; {@code 5y} forks the stream: it names 4
 * as well, and {@code 6y} names it; a dot closes. Places count from 0.
 */
class SuccessionTest {
    private static final int FLOOD = 50_000;

    private static Draft draft(long number) {
        return ALICE.checkpoint(number, 10 * number, 10 * number + 10);
    }

    private static CheckpointRecord checkpoint(String word, long offset) {
        String bare = word.replace(".", "");
        boolean other = bare.endsWith("x");
        boolean fork = bare.endsWith("y");
        long number = Long.parseLong(bare.replaceAll("[xy]", ""));
        Draft draft = other || fork ? draft(number).by("other") : draft(number);
        if (!other && number > 4) {
            draft = draft.after(checkpoint(number - 1 + (fork && number > 5 ? "y" : ""), 0));
        }
        return (word.endsWith(".") ? draft.closing() : draft).at(offset);
    }

    @ParameterizedTest(name = "{4}: {0}, at {1}")
    @CsvSource(delimiter = '|', textBlock = """
            4 5 900x 6  | 3 | 1 | - | named, however big numbers in between are
            4 5x 5 6    | 3 | 2 | - | named, of two statements of the number before
            4 5 5 6     | 3 | 1 | - | named, at its first place
            4 3 6       | 2 | 0 | - | none is named: the greatest smaller number
            4 6x 6      | 2 | 0 | - | another statement of the same number is no predecessor
            4 4x 6      | 2 | 0 | - | of two statements of a smaller number the first
            6 5         | 0 | - | - | nothing behind is a predecessor
            4 5 3 5x 6  | 1 | 0 | 3 | the first one behind of the same number
            4 5 3 6     | 1 | 0 | 3 | or of a greater one
            4 5         | 1 | 0 | - | the last one has no successor
            4 5 5 6     | 1 | 0 | 3 | a repetition is no successor
            4 6 5x 5 7  | 2 | 0 | 4 | a late one is no successor
            """)
    void neighbours(String log, int place, String predecessor, String successor, String why) {
        List<CheckpointRecord> records = records(log);
        Succession succession = new Succession(records);
        CheckpointRecord target = records.get(place);
        assertThat(place(records, succession.predecessorOf(target))).isEqualTo(predecessor);
        assertThat(place(records, succession.successorOf(target))).isEqualTo(successor);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4 5 5 6     | 1 | false | false
            4 5 5 6     | 2 | true  | false
            4 6 5x 5 7  | 1 | false | false
            4 6 5x 5 7  | 2 | false | false
            4 6 5x 5 7  | 3 | false | true
            """)
    void repetitionsAndLateOnes(String log, int place, boolean repeats, boolean late) {
        List<CheckpointRecord> records = records(log);
        Succession succession = new Succession(records);
        assertThat(succession.repeats(records.get(place))).isEqualTo(repeats);
        assertThat(succession.isLate(records.get(place))).isEqualTo(late);
    }

    @ParameterizedTest(name = "{5}: {0}, at {1}")
    @CsvSource(delimiter = '|', textBlock = """
            4 5 6 5x   | 3 | 1 | true  | - | the first one was continued
            4 5 5x 6   | 2 | - | true  | - | but behind the second
            6 4 5 5x   | 3 | - | true  | - | or before itself
            4 5 5x     | 2 | - | true  | - | neither is continued, and they name different ones
            4 5 5y     | 2 | 1 | true  | - | both name one
            4 5 5y.    | 2 | - | true  | - | but a stream's end may be stated again
            5x 4 5     | 2 | - | false | - | the other one lies before the predecessor
            4 5 5y 7   | 3 | - | false | 2 | a fork before, in which both name one
            4 5x 5 7   | 3 | - | false | 2 | or which has a predecessor in the log
            4 5 5x 7   | 3 | - | false | - | or neither
            5x 5 4 7   | 3 | - | false | - | nothing behind it is its predecessor
            4 5 7 5y   | 2 | - | false | - | what forks behind it is no fork before
            """)
    void forks(String log, int place, String forkedFrom, boolean rival, String forkBefore, String why) {
        List<CheckpointRecord> records = records(log);
        Succession succession = new Succession(records);
        CheckpointRecord target = records.get(place);
        assertThat(place(records, succession.forkedFrom(target))).isEqualTo(forkedFrom);
        assertThat(succession.hasRival(target)).isEqualTo(rival);
        assertThat(place(records, succession.forkBefore(target))).isEqualTo(forkBefore);
    }

    private static String place(List<CheckpointRecord> records, Optional<CheckpointRecord> found) {
        return found.map(records::indexOf).map(String::valueOf).orElse("-");
    }

    @Test
    void neitherNumberNorHashAloneNamesAPredecessor() {
        CheckpointRecord four = checkpoint("4", 10);
        assertThat(Succession.names(checkpoint("5", 20), four)).isTrue();
        assertThat(Succession.names(draft(9).after(four).at(30), four)).isFalse();
        assertThat(Succession.names(draft(5).at(30), four)).isFalse();
    }

    /** Where nothing is signed, anybody may write thousands of them, of 150 bytes each. */
    @Test
    void aFloodOfForgedStatementsTakesTimeByTheirNumberAlone() {
        CheckpointRecord four = draft(4).at(0);
        CheckpointRecord five = draft(5).after(four).at(FLOOD + 1);
        List<CheckpointRecord> records = new ArrayList<>(List.of(four));
        for (long i = 1; i <= FLOOD; i++) {
            CheckpointRecord nowhere = new CheckpointRecord(
                    0,
                    four.checkpoint(),
                    Hash.copyOf(ByteBuffer.allocate(8).putLong(i).array()),
                    LogRecord.NO_TIME);
            records.add(draft(5).withoutLeaves().after(nowhere).at(i));
        }
        records.add(five);
        Succession succession = new Succession(records);
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            assertThat(succession.forkedFrom(five)).isEmpty();
            assertThat(succession.forkBefore(five)).isEmpty();
            assertThat(succession.hasRival(five)).isTrue();
            for (CheckpointRecord record : records) {
                assertThat(succession.isLate(record) || succession.repeats(record))
                        .isFalse();
            }
        });
    }

    private static List<CheckpointRecord> records(String log) {
        List<CheckpointRecord> records = new ArrayList<>();
        for (String word : log.split(" ", -1)) {
            records.add(checkpoint(word, 10L * records.size() + 10));
        }
        return records;
    }

    @Test
    void anEndInDoubtTakesBackWhatIsNotKnownToHaveArrivedAndNothingElse() {
        CheckpointRecord four = draft(4).at(0);
        CheckpointRecord five = draft(5).behind(four).at(1);
        CheckpointRecord end = draft(5).after(four)
                .closing()
                .uncertainOf(new SequenceRange(50, 60))
                .at(3);
        for (long known = 0; known <= 1; known++) {
            CheckpointRecord six =
                    ALICE.checkpoint(6, 60, 60).after(five).hinting(known).at(2);
            Succession succession = new Succession(List.of(four, five, six, end));
            assertThat(succession.doubtOf(five)).isEqualTo(known == 0 ? Optional.of(end) : Optional.empty());
            assertThat(succession.doubtOf(four)).isEmpty();
            assertThat(new Succession(List.of(four, five, six)).mayBeTakenBack(five))
                    .isEqualTo(known == 0);
        }
    }
}
