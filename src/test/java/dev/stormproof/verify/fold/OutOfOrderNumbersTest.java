package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutOfOrderNumbersTest {
    private final OutOfOrderNumbers numbers = new OutOfOrderNumbers();

    private void note(long... noted) {
        for (long number : noted) {
            numbers.note(ALICE.checkpoint(number, 0, 0).at(number));
        }
    }

    @Test
    void theNumberThatCameIsHeldAndTheOneThatItNames() {
        note(7);
        assertThat(numbers.mayHold(7)).isTrue();
        assertThat(numbers.mayHold(6)).isTrue();
        assertThat(numbers.mayHold(5)).isFalse();
        assertThat(numbers.mayHold(8)).isFalse();
    }

    @Test
    void inFormat1ThereIsNone() {
        numbers.note(PLAIN.plainCheckpoint(5, 1));
        assertThat(numbers.mayHold(-1)).isFalse();
        assertThat(numbers.mayHold(-2)).isFalse();
    }

    @Test
    void thoseThatArePassedAreForgotten() {
        note(3, 7);
        numbers.passed(6);
        assertThat(numbers.mayHold(3)).isFalse();
        assertThat(numbers.mayHold(6)).isFalse();
        assertThat(numbers.mayHold(7)).isTrue();
    }

    @Test
    void sixteenEntriesAreHeld() {
        note(10, 20, 30, 40, 50, 60, 70, 80);
        assertThat(numbers.mayHold(10)).isTrue();
        assertThat(numbers.mayHold(5)).isFalse();
    }

    @Test
    void beyondThemAnyNumberMayBeHeldUntilTheLogWasRead() {
        note(10, 20, 30, 40, 50, 60, 70, 80, 90);
        assertThat(numbers.mayHold(5)).isTrue();
        numbers.clearOverflow();
        assertThat(numbers.mayHold(5)).isFalse();
        assertThat(numbers.mayHold(90)).as("the log is to tell").isFalse();
    }
}
