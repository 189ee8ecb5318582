package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.StreamRecords.Draft;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an end that calls the sequences [41, 46) uncertain leaves so, where checkpoint 5 states [42, 44). */
class UnprovenTest {
    private static final SequenceRange WHOLE = new SequenceRange(41, 46);

    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord end =
            ALICE.checkpoint(6, 41, 46).closing().uncertainOf(WHOLE).at(30);
    private final Event[] stated = {
        ALICE.event(9, 41), ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(21, 45),
    };

    private List<SequenceRange> left(CheckpointRecord five, Event... events) {
        return Unproven.of(end, List.of(four, five), List.of(events));
    }

    private static Draft five() {
        return ALICE.checkpoint(5, 42, 44);
    }

    @Test
    void whatIsThereAsStatedIsProven() {
        assertThat(left(five().after(four).at(20), stated))
                .containsExactly(new SequenceRange(41, 42), new SequenceRange(44, 46));
    }

    @Test
    void nothingElseIs() {
        CheckpointRecord five = five().after(four).at(20);
        Event first = ALICE.event(11, 42);
        assertThat(left(five, first)).as("one is missing").containsExactly(WHOLE);
        assertThat(left(five, first, ALICE.altered(12, 43))).containsExactly(WHOLE);
        assertThat(left(five, first, ALICE.forged(12, 43))).containsExactly(WHOLE);
        assertThat(left(five, first, ALICE.event(12, 43), ALICE.event(13, 42))).containsExactly(WHOLE);
        assertThat(left(five().after(four).at(40), stated)).as("after the end").containsExactly(WHOLE);
        assertThat(left(five().at(20), stated)).as("continues another").containsExactly(WHOLE);
        assertThat(left(ALICE.checkpoint(7, 42, 44).after(four).at(20), stated)).containsExactly(WHOLE);
        assertThat(left(ALICE.checkpoint(5, 43, 44).after(four).at(20), ALICE.event(12, 43)))
                .containsExactly(WHOLE);
        Draft uncertain = five().after(four).uncertainOf(new SequenceRange(43, 44));
        assertThat(left(uncertain.at(20), first)).containsExactly(WHOLE);
    }
}
