package dev.stormproof.sim;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The oracle forgives what it has to, and nothing else. */
class StreamHistoryTest {
    private static final Shipment NOTHING = new Shipment(Shipment.Kind.STRANGE, 0, 0, null, null);
    private static final CheckpointRecord ZERO = ALICE.checkpoint(0, 0, 0).at(0);
    private static final CheckpointRecord ONE =
            ALICE.checkpoint(1, 0, 2).after(ZERO).at(3);

    private final SentStream sent = new SentStream(ALICE.stream(), TreeHash.XXH3, true, 0);

    private StreamHistory history(LogRecord... records) {
        for (int sequence = 0; sequence < 10; sequence++) {
            sent.signatures.add(signature(sequence));
        }
        List<HistoricLog.Entry> entries = Stream.of(records)
                .map(record -> new HistoricLog.Entry(record, NOTHING, 0, 0))
                .toList();
        return new StreamHistory(sent, ALICE.stream().emitter(), entries);
    }

    /** Checkpoints 2 and 3 are lost; what the end leaves in doubt begins at event 4. */
    @Test
    void aForgedPredecessorHidesNoLossOfWhatIsInNoDoubt() {
        CheckpointRecord forged = ALICE.checkpoint(3, 90, 90).by("a forger").at(4);
        CheckpointRecord four = ALICE.checkpoint(4, 6, 8).at(20);
        Stream.of(ZERO, ONE, four).map(CheckpointRecord::chainHash).forEach(sent.chainHashes::add);
        LogRecord two = ALICE.event(10, 2);
        LogRecord three = ALICE.event(11, 3);
        LogRecord six = ALICE.event(12, 6);
        assertThat(history(ZERO, ONE, forged, two, three, six, four).isPerfectBefore(four, 4, 0))
                .isTrue();
        assertThat(history(ZERO, ONE, forged, two, six, four).isPerfectBefore(four, 4, 0))
                .as("event 3 is lost")
                .isFalse();
        assertThat(history(ZERO, ONE, forged, three, six, four).isPerfectBefore(four, 4, 0))
                .as("event 2 is lost")
                .isFalse();
        assertThat(history(ZERO, ONE, forged, two, three, ALICE.altered(12, 6), four)
                        .isPerfectBefore(four, 4, 0))
                .as("event 6 is altered")
                .isFalse();
        assertThat(history(ZERO, ONE, two, forged, three, six, four).isPerfectBefore(four, 4, 0))
                .as("wherever the forged one lies")
                .isTrue();
    }
}
