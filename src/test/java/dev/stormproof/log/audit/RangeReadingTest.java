package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.RangeQuery;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeReadingTest {
    private static final int MOST_RECORDS = (64 << 20) / RecordSizes.RECORD_BYTES;

    private final SimulatedLog log = new SimulatedLog();

    private LogRange read(long begin, long end) throws PartitionReader.ExpiredRangeException {
        return RangeReading.read(log, List.of(new RangeQuery(ALICE.stream(), begin, begin, end, end, 0)))
                .get(0);
    }

    private static List<Long> offsets(LogRange range) {
        return range.evidence(List.of()).events().stream().map(Event::offset).toList();
    }

    @Test
    void whatTheLogHoldsOfTheRangeIsRead() throws Exception {
        for (long sequence = 0; sequence < 5; sequence++) {
            long next = sequence;
            log.append(offset -> ALICE.event(offset, next));
        }
        assertThat(offsets(read(1, 3))).containsExactly(1L, 2L);
        assertThat(offsets(read(3, 9))).containsExactly(3L, 4L);
        log.expireBefore(2);
        assertThat(offsets(read(1, 4))).containsExactly(2L, 3L);
        assertThat(read(1, 4).evidence(List.of()).beginOffset()).isEqualTo(2);
        assertThat(offsets(read(0, 2))).isEmpty();
        assertThat(offsets(read(7, 9))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true"})
    void beyondSixtyFourMebibytesNoRecordIsKept(int more, boolean tooLarge) throws Exception {
        for (int i = 0; i < MOST_RECORDS + more; i++) {
            log.append(offset -> ALICE.event(offset, offset / 2));
            log.append(offset -> BOB.event(offset, 0));
        }

        LogRange range = read(0, 2L * MOST_RECORDS + 2);
        assertThat(range.isTooLarge()).isEqualTo(tooLarge);
        assertThat(range.matches(ALICE.checkpoint(1, 0, MOST_RECORDS + more).at(0)))
                .isTrue();
    }

    private static final int EVENTS = 100;
    private static final long FEW_BYTES = 2_000;

    private final SimulatedEmitter emitter =
            new SimulatedEmitter(new StreamId("orders", 0, 0xA11CE), TreeHash.XXH3, false);

    /** A range of so many bytes at most, from checkpoint 0 to checkpoint 1, without the event at a place. */
    private LogRange range(int lost, long mostBytes) throws Exception {
        log.append(emitter.checkpoint());
        for (int i = 0; i < EVENTS; i++) {
            var event = emitter.event();
            if (i != lost) {
                log.append(event);
            }
        }
        log.append(emitter.checkpoint());
        long end = log.endOffset();
        RangeQuery query = new RangeQuery(emitter.stream(), 0, 1, end - 1, end, 0);
        return RangeReading.read(log, List.of(query), mostBytes).get(0);
    }

    private CheckpointRecord target() {
        long end = log.endOffset();
        return (CheckpointRecord) log.entries(end - 1, end).get(0).record();
    }

    @Test
    void ofMoreThanCanBeKeptTheTreeAloneIsKnown() throws Exception {
        LogRange range = range(-1, FEW_BYTES);
        assertThat(range.isTooLarge()).isTrue();
        assertThat(range.matches(target())).isTrue();
    }

    @Test
    void anEventWhoseHeaderWasDroppedIsNamedWhereItLies() {
        SimulatedEmitter stating = new SimulatedEmitter(new StreamId("orders", 0, 0xA11CE), TreeHash.XXH3, true);
        byte[] value = {1, 2, 3};
        log.appendUnsigned(value);
        log.append(stating.checkpoint());
        log.append(stating.event());
        Hash signed = stating.eventOf(value).apply(0).stated();
        log.appendUnsigned(value);
        log.append(stating.closing());
        log.appendUnsigned(value);
        long end = log.endOffset();

        assertThat(log.audited(
                        RangeCase.Origin.NONE,
                        new OfflineVerifier.Range(new TopicPartition("orders", 0), 0, end, end, end, 1),
                        InactivityTimeouts.DEFAULT))
                .filteredOn(Violated.class::isInstance)
                .flatExtracting(finding -> ((Violated) finding).anomalies())
                .extracting(Anomaly::kind, Anomaly::begin, Anomaly::offset, Anomaly::observed)
                .containsExactly(tuple(Anomaly.Kind.ALTERED, 1L, 3L, signed));
    }

    @Test
    void rangesNearEachOtherAreReadInOnePass() throws Exception {
        LogRange whole = range(-1, 1 << 20);
        RangeQuery query = whole.query();
        RangeQuery first = new RangeQuery(emitter.stream(), 0, 1, 50, 50, 0);
        List<LogRange> together = RangeReading.read(log, List.of(first, query));
        assertThat(together.get(0).matches(target())).isFalse();
        assertThat(together.get(1).matches(target())).isTrue();
        assertThat(together.get(0).firstOffset()).isEqualTo(1);
    }

    @Test
    void whatIsTooMuchTogetherIsReadByItself() throws Exception {
        RangeQuery query = range(-1, 1 << 20).query();
        RangeQuery first = new RangeQuery(emitter.stream(), 0, 1, 50, 50, 0);
        long enoughForOne = (EVENTS + 2) * (RecordSizes.RECORD_BYTES + 100L);
        List<LogRange> together = RangeReading.read(log, List.of(first, query), enoughForOne);
        assertThat(together).noneMatch(LogRange::isTooLarge);
        assertThat(together.get(1).matches(target())).isTrue();
    }
}
