package dev.stormproof.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.StreamRecords.Draft;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How checkpoints hang together that repeat, lie, and come late. In a log {@code 5} is checkpoint 5, which names checkpoint 4,
 * as 6 and 7 name the one before; {@code 5x} is another statement of that number, which names none. Places count from 0.
 */
class SuccessionTest {
    private static Draft draft(long number) {
        return ALICE.checkpoint(number, 10 * number, 10 * number + 10);
    }

    private static CheckpointRecord checkpoint(String word, long offset) {
        boolean other = word.endsWith("x");
        long number = Long.parseLong(other ? word.substring(0, word.length() - 1) : word);
        Draft draft = other ? draft(number).by("other") : draft(number);
        boolean naming = !other && number > 4;
        return (naming ? draft.after(checkpoint(String.valueOf(number - 1), 0)) : draft).at(offset);
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
        assertThat(succession
                        .predecessorOf(target)
                        .map(records::indexOf)
                        .map(String::valueOf)
                        .orElse("-"))
                .isEqualTo(predecessor);
        assertThat(succession
                        .successorOf(target)
                        .map(records::indexOf)
                        .map(String::valueOf)
                        .orElse("-"))
                .isEqualTo(successor);
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

    @Test
    void neitherNumberNorHashAloneNamesAPredecessor() {
        CheckpointRecord four = checkpoint("4", 10);
        assertThat(Succession.names(checkpoint("5", 20), four)).isTrue();
        assertThat(Succession.names(draft(9).after(four).at(30), four)).isFalse();
        assertThat(Succession.names(draft(5).at(30), four)).isFalse();
    }

    private static List<CheckpointRecord> records(String log) {
        List<CheckpointRecord> records = new ArrayList<>();
        for (String word : log.split(" ", -1)) {
            records.add(checkpoint(word, 10L * records.size() + 10));
        }
        return records;
    }
}
