package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfLastCheckpoints;
import dev.stormproof.verify.fold.LogQuery.OfPromises;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.IntervalId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where the evidence on an interval begins. */
class AuditorTest {
    /** More than are searched for a neighbour at once, and than are read before a stream's first checkpoint. */
    private static final int FAR = 12_000;

    private final SimulatedLog log = new SimulatedLog();

    private Evidence audit(CheckpointRecord target, OfInterval.Earlier earlier) throws Exception {
        return new Auditor(new SearchedLog().on(log), SearchBudget.unlimited())
                .audit(new OfInterval(
                        IntervalId.of(target), target.chainHash(), -1, target.offset() + 1, true, earlier));
    }

    private void othersWrite(int events) {
        for (int i = 0; i < events; i++) {
            long sequence = i;
            log.append(offset -> BOB.event(offset, sequence));
        }
    }

    private void events(int count) {
        for (int i = 0; i < count; i++) {
            long sequence = i;
            log.append(offset -> ALICE.event(offset, sequence));
        }
    }

    @Test
    void itBeginsBehindTheFirstStatementOfThePredecessorAndNotBehindACopy() throws Exception {
        CheckpointRecord first = log.append(ALICE.checkpoint(0, 0, 0)::at);
        events(2);
        othersWrite(FAR);
        log.append(ALICE.checkpoint(0, 0, 0)::at);
        events(2);
        CheckpointRecord target = log.append(ALICE.checkpoint(1, 0, 2).after(first)::at);
        Evidence evidence = audit(target, OfInterval.Earlier.UNKNOWN);
        assertThat(evidence.beginOffset()).isEqualTo(first.offset());
        assertThat(evidence.events()).extracting(Event::sequence).containsExactly(0L, 1L, 0L, 1L);
    }

    @Test
    void theIntervalBeforeIsLookedForNearbyAlone() throws Exception {
        CheckpointRecord first = log.append(ALICE.checkpoint(0, 0, 0)::at);
        othersWrite((int) Beginnings.MAX_SCAN_FOR_NEIGHBOUR);
        CheckpointRecord second = log.append(ALICE.checkpoint(1, 0, 0).after(first)::at);
        CheckpointRecord third = log.append(ALICE.checkpoint(2, 0, 0).after(second)::at);
        assertThat(audit(third, new OfInterval.Earlier(-1, -1, 0, third.offset(), false))
                        .beginOffset())
                .isEqualTo(second.offset());
    }

    @Test
    void itBeginsABoundedNumberOfOffsetsBeforeAStreamOfWhichNothingWasSeen() throws Exception {
        othersWrite((int) Evidence.BEFORE_THE_BEGINNING + 1_000);
        CheckpointRecord target = log.append(ALICE.checkpoint(0, 0, 0)::at);
        assertThat(audit(target, new OfInterval.Earlier(-1, -1, 0, target.offset(), false))
                        .beginOffset())
                .isEqualTo(target.offset() - Evidence.BEFORE_THE_BEGINNING);
    }

    @Test
    void itBeginsWithTheFirstEventThatCameHoweverFarBeforeTheFirstCheckpoint() throws Exception {
        othersWrite(1);
        Event early = log.append(offset -> ALICE.event(offset, 5));
        othersWrite(FAR);
        CheckpointRecord target = log.append(ALICE.checkpoint(0, 0, 0)::at);
        Evidence evidence = audit(target, new OfInterval.Earlier(-1, -1, 0, early.offset(), false));
        assertThat(evidence.events()).containsExactly(early);
    }

    /** Uncertain ranges and leaves: a record of 16 kB takes more than twice that in memory, and a megabyte of such packs well. */
    @Test
    void ofCheckpointsThatAreOnlyCountedNeitherLeavesNorUncertainRangesAreKept() throws Exception {
        CheckpointRecord first = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord target = log.append(inDoubt(first)::at);
        long end = target.offset() + 1;
        Auditor auditor = new Auditor(new SearchedLog().on(log), SearchBudget.unlimited());
        assertThat(auditor.audit(new OfPromises(List.of(), 1, end)))
                .singleElement()
                .satisfies(AuditorTest::isInShort);
        assertThat(auditor.audit(new OfPromises(List.of(target.offset()), end, end)))
                .singleElement()
                .satisfies(AuditorTest::isInShort);
        assertThat(auditor.audit(
                        new OfLastCheckpoints(end, end, Set.of(ALICE.stream().emitter()))))
                .singleElement()
                .satisfies(AuditorTest::isInShort);
    }

    private static StreamRecords.Draft inDoubt(CheckpointRecord first) {
        return ALICE.checkpoint(1, 0, 9)
                .after(first)
                .uncertainOf(new SequenceRange(1, 2), new SequenceRange(4, 5), new SequenceRange(7, 8));
    }

    private static void isInShort(CheckpointRecord record) {
        assertThat(record.checkpoint().leaves()).isEmpty();
        assertThat(record.checkpoint().uncertain()).hasSizeLessThanOrEqualTo(1);
        assertThat(record.checkpoint().nextSequence()).isEqualTo(9);
    }
}
