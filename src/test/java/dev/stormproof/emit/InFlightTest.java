package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What is known of a stream's records while they are in flight, and of those that were not appended. */
class InFlightTest {
    private final RecordTooLargeException tooLarge = new RecordTooLargeException("too large");
    private final TimeoutException late = new TimeoutException("late");
    private final MaxMessageBytes limit = new MaxMessageBytes("t", 900_000, () -> {});
    private final InFlight inFlight = new InFlight(limit, new AtomicLong(-1));

    private PendingCheckpoint started(long number) {
        PendingCheckpoint checkpoint = new PendingCheckpoint(
                new byte[10],
                new CheckpointPosition(number, 10 * number, Hash.empty()),
                Hash.empty(),
                false,
                Optional.of(Leaves.within(new byte[16], 0, 1, 16)),
                number);
        inFlight.started(checkpoint);
        return checkpoint;
    }

    @Test
    void whatIsRefusedAtOnceIsInFlightNoMore() {
        PendingCheckpoint checkpoint = started(0);
        inFlight.started(null);
        inFlight.refused(null);
        assertThat(inFlight.isProving()).as("by the checkpoint").isTrue();
        assertThat(inFlight.isEmpty()).isFalse();

        inFlight.refused(checkpoint);
        assertThat(inFlight.isProving()).isFalse();
        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void theRefusalOfACheckpointShowsThatItsTopicIsCompacted() {
        inFlight.ended(started(0), -1, new InvalidRecordException("Compacted topic cannot accept message without key"));
        assertThatThrownBy(limit::demandCheckpoints).isInstanceOf(InvalidConfigurationException.class);
    }

    @Test
    void refusedCheckpointsAreTakenOutInTheirOrderOnceNoneIsInFlight() {
        PendingCheckpoint first = started(1);
        PendingCheckpoint second = started(2);
        inFlight.ended(second, -1, tooLarge);
        assertThat(inFlight.takeRefused()).isEmpty();

        inFlight.ended(first, -1, tooLarge);
        assertThat(inFlight.isProving()).isTrue();
        assertThat(inFlight.takeRefused()).containsExactly(first, second);
        assertThat(inFlight.isProving()).isFalse();
        assertThat(inFlight.anyFailed()).isFalse();
    }

    @Test
    void whereOneOfItsNumberOrALaterOneArrivedARefusedCheckpointIsNotTakenOutAndTheLaterOneLeavesItInDoubt() {
        for (long arrived : new long[] {3, 4}) {
            PendingCheckpoint refused = started(3);
            inFlight.ended(started(arrived), 50, null);
            inFlight.ended(refused, -1, tooLarge);

            assertThat(inFlight.takeRefused()).isEmpty();
            assertThat(inFlight.anyFailed()).isTrue();
            assertThat(inFlight.inDoubt().checkpoint())
                    .isEqualTo(arrived == 3 ? Optional.empty() : Optional.of(refused.position));
        }
    }

    @Test
    void beforeOneThatIsInDoubtARefusedCheckpointIsInDoubt() {
        PendingCheckpoint refused = started(4);
        inFlight.ended(started(5), -1, late);
        inFlight.ended(refused, -1, tooLarge);

        assertThat(inFlight.takeRefused()).isEmpty();
        assertThat(inFlight.inDoubt().checkpoint()).contains(refused.position);
    }

    @Test
    void aCheckpointThatArrivedIsInDoubtNoMore() {
        inFlight.ended(started(0), -1, late);
        assertThat(inFlight.anyArrived()).isFalse();
        assertThat(inFlight.inDoubt().checkpoint()).isPresent();

        inFlight.ended(started(0), 7, null);
        assertThat(inFlight.anyArrived()).isTrue();
        assertThat(inFlight.arrivedOffset()).isEqualTo(7);
        assertThat(inFlight.inDoubt().checkpoint()).isEmpty();
    }

    @Test
    void eventsInDoubtThatFollowOnAreOneRange() {
        for (long sequence : new long[] {7, 4, 5}) {
            inFlight.started(null);
            inFlight.ended(sequence, late);
        }

        assertThat(inFlight.inDoubt().events()).containsExactly(new SequenceRange(4, 6), new SequenceRange(7, 8));
    }
}
