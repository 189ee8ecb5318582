package dev.stormproof.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.leader.EpochEnd;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.testing.StreamRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Checkpoints in a topic of their own seal what those among the events do, and nothing that is unproven. */
class MergedLogTest {
    private static final String EVENTS = "a0 a1 a2 a3 a4 a5";
    private static final String SIDE = "a#0:0-0 a#1:0-3 a#2:3-6 a#3:6-6$";

    private static List<String> audit(String events, String side) {
        return TwoLogs.of(events, side).audit();
    }

    @Test
    void whatIsAsStatedIsVerifiedAndEachCheckpointHasThePlaceThatItsSequencesGiveIt() {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);

        assertThat(logs.audit()).containsExactly("verified a0@0", "verified a1@3", "verified a2@6", "verified a3@6");
        assertThat(logs.contents.events()).isEqualTo(6);
        assertThat(logs.contents.open().streams()).isZero();
    }

    @Test
    void emittersDoNotDependOnTheOrderInWhichTheirCheckpointsCame() {
        assertThat(audit("b0 a0 b1 a1 a2 b2 a3", "a#0:0-0 a#1:0-3 b#0:0-0 a#2:3-4$ b#1:0-2 b#2:2-3$"))
                .containsExactly(
                        "verified b0@0",
                        "verified a0@1",
                        "verified b1@5",
                        "verified a1@6",
                        "verified b2@6",
                        "verified a2@7");
        assertThat(audit(EVENTS, "a#2:3-6 a#0:0-0 a#1:0-3 a#3:6-6$"))
                .as("a checkpoint whose chain is not that of the log")
                .contains("violated a2@6 CHAIN_BROKEN 2@6");
    }

    @Test
    void whatIsLostRepeatedMovedOrAlteredIsNamedAtItsOffset() {
        assertThat(audit("a0 a2 a3 a4 a5", SIDE)).contains("violated a1@2 LOST 1", "verified a2@5");
        assertThat(audit("a0 a1 a1 a2 a3 a4 a5", SIDE)).contains("violated a1@4 DUPLICATED 1@2");
        assertThat(audit("a0 a2 a1 a3 a4 a5", SIDE)).anyMatch(text -> text.startsWith("violated a1@3 REORDERED"));
        assertThat(audit("a0 a1! a2 a3 a4 a5", SIDE)).contains("violated a1@3 ALTERED 1@1");
        assertThat(audit("a0 a1x a2 a3 a4 a5", SIDE)).contains("violated a1@3 ALTERED 1@1");
    }

    @Test
    void anEventThatWasMovedAcrossACheckpointIsNotVerified() {
        assertThat(audit("a0 a1 a3 a2 a4 a5", SIDE))
                .noneMatch(text -> text.startsWith("verified a1"))
                .anyMatch(text -> text.startsWith("violated"));
        assertThat(audit("a5 a0 a1 a2 a3 a4", SIDE))
                .as("the last event came first, so that each checkpoint stands before it")
                .anyMatch(text -> text.startsWith("violated"));
    }

    @Test
    void aLostCheckpointIsMissed() {
        assertThat(audit(EVENTS, "a#0:0-0 a#2:3-6 a#3:6-6$"))
                .anyMatch(text -> text.startsWith("violated a2@6 CHECKPOINT_LOST 1"));
        assertThat(audit(EVENTS, "a#1:0-3 a#2:3-6 a#3:6-6$"))
                .as("a side topic that was made anew lost the beginning")
                .anyMatch(text -> text.startsWith("violated a1@3 CHECKPOINT_LOST 0"));
    }

    @Test
    void aForgedCheckpointSealsNothing() {
        assertThat(audit(EVENTS, "a#0:0-0 a#1:0-3~ a#2:3-6 a#3:6-6$"))
                .anyMatch(text -> text.startsWith("violated a1@3"))
                .noneMatch(text -> text.startsWith("verified a1"));
    }

    @Test
    void aRepeatedCheckpointIsTold() {
        assertThat(audit(EVENTS, "a#0:0-0 a#1:0-3 a#1:0-3= a#2:3-6 a#3:6-6$"))
                .contains("REPEATED_CHECKPOINT orders-checkpoints@2", "verified a1@3", "verified a2@6");
    }

    @Test
    void aForkIsToldWithThePlaceOfTheOtherInTheSideTopic() {
        TwoLogs logs = TwoLogs.of("a0 a1 a2", "a#0:0-0 a#1:0-3 a#2:3-3 a#1:0-3~");

        assertThat(logs.audit()).contains("FORKED_CHECKPOINT orders-checkpoints@3");
        assertThat(logs.findings())
                .filteredOn(Unattributed.class::isInstance)
                .singleElement()
                .extracting(finding -> ((Unattributed) finding).detail())
                .asString()
                .contains("at offset 1 of orders-checkpoints-0");
    }

    @Test
    void anEventInTheSideTopicHealsNoLoss() {
        assertThat(audit("a0 a2 a3 a4 a5", "a#0:0-0 e1 a#1:0-3 a#2:3-6 a#3:6-6$"))
                .contains("UNSIGNED orders-checkpoints@1", "violated a1@2 LOST 1");
    }

    @Test
    void recordsOfOthersInTheSideTopicAreToldWithItsNameAndThoseOfOtherPartitionsAreCounted() {
        TwoLogs logs = TwoLogs.of(EVENTS, "? ? a#0:0-0 m a#1:0-3 a#2:3-6 a#3:6-6$ a#3:3-6R");

        assertThat(logs.audit())
                .containsExactlyInAnyOrder(
                        "UNSIGNED orders-checkpoints@0 x2",
                        "UNSUPPORTED orders-checkpoints@7",
                        "verified a0@0",
                        "verified a1@3",
                        "verified a2@6",
                        "verified a3@6");
        assertThat(MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side)
                        .elsewhere())
                .isEqualTo(1);
    }

    @Test
    void aCheckpointThatIsAheadOfItsEventsIsInconclusiveUntilOneBehindThemIsThere() {
        TwoLogs logs = TwoLogs.of("a0 a1 a2 a3", "a#0:0-0 a#1:0-3 a#2:3-6");
        assertThat(logs.audit()).containsExactlyInAnyOrder("UNCERTAIN a2@4", "verified a0@0", "verified a1@3");
        assertThat(logs.contents.open().events()).isEqualTo(1);

        logs.addEvents("a6");
        assertThat(logs.audit()).contains("violated a2@4 LOST 4-5");
    }

    @Test
    void whatALastCheckpointStatesIsLostIfItIsNotThere() {
        assertThat(audit("a0 a1 a2 a3", SIDE)).contains("violated a2@4 LOST 4-5");
        assertThat(audit("", SIDE)).contains("violated a1@0 LOST 0-2", "violated a2@0 LOST 3-5");
    }

    @Test
    void eventsThatExpiredAreNotLost() {
        for (int expired = 1; expired <= 6; expired++) {
            TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
            logs.events.expireBefore(expired);
            assertThat(logs.audit())
                    .as("%d expired", expired)
                    .noneMatch(text -> text.startsWith("violated"))
                    .anyMatch(text -> text.startsWith("EXPIRED a1"));
            assertThat(logs.audit().contains("verified a2@6")).isEqualTo(expired <= 3);
        }
    }

    @Test
    void eventsWhoseCheckpointExpiredAreNotJudged() {
        TwoLogs logs = TwoLogs.of(EVENTS + " a6 a7", "a#0:0-0 a#1:0-3 a#2:3-6 a#3:6-8 a#4:8-8$");
        logs.side.expireBefore(2);

        assertThat(logs.audit()).containsExactly("verified a2@6", "verified a3@8", "verified a4@8");
        MergedLog log = MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side);
        assertThat(log.begin()).isEqualTo(3);
        assertThat(logs.contents.events()).as("those that are judged").isEqualTo(5);
        assertThat(logs.contents.lateStarts().named().get(0).offset()).isEqualTo(3);
    }

    /** Of a, #2 is the first that is left: it beat for a long time, and then wrote a2. Of b everything is left. */
    @Test
    void whoWritesAgainAfterALongTimeHidesNothingOfOthers() {
        TwoLogs logs = TwoLogs.of("a0 a1 b0 b2 b3 a2", "a#0:0-0 a#1:0-2 a#2:2-2 b#0:0-0 b#1:0-2 b#2:2-4$ a#3:2-3$");
        logs.side.expireBefore(2);

        assertThat(logs.audit())
                .contains("verified b0@2", "verified b2@5", "verified a3@6")
                .anyMatch(text -> text.startsWith("violated b1@3 LOST 1"));
        assertThat(MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side)
                        .begin())
                .isEqualTo(2);
    }

    /** Of a nothing is left; somebody appends an old event of it, and an old checkpoint, as they were written. */
    @Test
    void aCopyOfAStreamWhoseCheckpointsExpiredHidesWhatLiesBeforeAndTheBeginningSaysSo() {
        TwoLogs logs = TwoLogs.of("b0 b2 b3 a1 a2", "a#1:0-2 b#0:0-0 b#1:0-2 b#2:2-4$ a#2:2-3$");
        logs.side.expireBefore(1);

        assertThat(logs.audit()).noneMatch(text -> text.contains(" b1"));
        assertThat(MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side)
                        .begin())
                .isEqualTo(4);
    }

    @Test
    void whatCompactionMayHaveTakenIsInconclusiveAndWhatLiesBehindThatIsLost() {
        TwoLogs logs = TwoLogs.of("a0 _ a2 a3 a4 a5 a6 a8", "a#0:0-0 a#1:0-3 a#2:3-6 a#3:6-9$");
        logs.compacted = true;
        assertThat(logs.audit())
                .contains("EXPIRED a1@3", "verified a2@6", "violated a3@8 LOST 7")
                .doesNotContain("verified a1@3");
    }

    @Test
    void compactionExcusesNeitherCopiesNorAlterations() {
        TwoLogs logs = TwoLogs.of("a0 _ a2! a3 a3 a4 a5", SIDE);
        logs.compacted = true;
        assertThat(logs.audit())
                .contains("violated a1@3 ALTERED 2@2")
                .anyMatch(text -> text.startsWith("violated a2@7 DUPLICATED 3"));
    }

    @Test
    void findingsOnCheckpointsNameTheOtherOneAtItsOffsetInTheSideTopic() {
        TwoLogs logs = TwoLogs.of("a0 a1 a2", "a#0:0-0 a#1:0-3 a#2:3-3 a#1:0-3~");
        assertThat(logs.findings())
                .filteredOn(Unattributed.class::isInstance)
                .extracting(finding -> ((Unattributed) finding).detail())
                .allMatch(detail -> detail.contains(" of orders-checkpoints-0"));
    }

    @Test
    void aSideTopicThatIsWrittenAnewMeanwhileEndsTheAudit() {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
        MergedLog log = MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side);
        logs.side.truncate(1);
        logs.addSide("a#1:0-2 a#2:2-6 a#3:6-6$");

        var reader = log.reader(logs.events, logs.side);
        assertThatThrownBy(
                        () -> reader.scan(log.mergedBegin(), log.mergedEnd(), (record, epoch, millis, content) -> true))
                .isInstanceOf(ChangedLogException.class)
                .hasMessageContaining("orders-checkpoints-0 was written anew")
                .hasMessageContaining("run it again");
    }

    @Test
    void eventsThatAreTruncatedMeanwhileEndTheAudit() {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
        MergedLog log = MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side);
        logs.events.truncate(4);

        assertThatThrownBy(() -> log.reader(logs.events, logs.side).endOfEpoch(log.mergedEnd(), 0))
                .isInstanceOf(ChangedLogException.class)
                .hasMessageContaining("orders-0 was truncated at 4");
    }

    @Test
    void eachPartOfTheMergedLogIsReadAlike() throws Exception {
        TwoLogs logs = TwoLogs.of("a0 a1 _ a2 a3 a4 a5", SIDE);
        MergedLog log = MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side);
        var reader = log.reader(logs.events, logs.side);
        List<Long> whole = new ArrayList<>();
        var unused = reader.scan(
                log.mergedBegin(), log.mergedEnd(), (record, epoch, millis, content) -> whole.add(record.offset()));
        assertThat(whole).containsExactly(0L, 1L, 2L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        for (long begin = 0; begin <= log.mergedEnd(); begin++) {
            for (long end = begin; end <= log.mergedEnd(); end++) {
                long from = begin;
                long to = end;
                List<Long> part = new ArrayList<>();
                var unusedBytes =
                        reader.scan(begin, end, (record, epoch, millis, content) -> part.add(record.offset()));
                assertThat(part)
                        .as("[%d, %d)", begin, end)
                        .isEqualTo(whole.stream()
                                .filter(at -> from <= at && at < to)
                                .toList());
            }
        }
    }

    @Test
    void hintsAreOffsetsOfTheMergedLog() throws Exception {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
        MergedLog log = MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side);
        List<Long> hints = new ArrayList<>();
        var unused = log.reader(logs.events, logs.side)
                .scan(log.mergedBegin(), log.mergedEnd(), (record, epoch, millis, content) -> {
                    if (record instanceof CheckpointRecord found
                            && found.checkpoint() instanceof Format2Checkpoint sealed) {
                        hints.add(sealed.previousOffsetHint());
                    }
                    return true;
                });
        assertThat(hints).containsExactly(-1L, 0L, 4L, 8L);
    }

    @Test
    void whatExpiresMeanwhileIsReadTenTimesAndThenTheAuditFails() {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
        AtomicInteger attempts = new AtomicInteger();
        PartitionReader expiring = new PartitionReader() {
            @Override
            public Bounds bounds() {
                return logs.side.bounds();
            }

            @Override
            public long offsetForTime(long millis) {
                return logs.side.offsetForTime(millis);
            }

            @Override
            public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
                return logs.side.endOfEpoch(offset, leaderEpoch);
            }

            @Override
            public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
                attempts.incrementAndGet();
                throw new ExpiredRangeException("gone");
            }
        };
        assertThatThrownBy(() -> MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, expiring))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("records expire faster than they can be read");
        assertThat(attempts).hasValue(MergedLog.MAX_ATTEMPTS);
    }

    @Test
    void ofStraysOfManyKindsABoundedNumberIsKeptAndAllAreCounted() {
        TwoLogs logs = TwoLogs.of(EVENTS, SIDE);
        logs.addSide("? a#9:0-0R ".repeat(MergedLog.MOST_STRAYS));
        List<Unattributed> strays =
                MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side).findings(logs.side).stream()
                        .map(Unattributed.class::cast)
                        .toList();
        assertThat(strays).hasSize(MergedLog.MOST_STRAYS);
        assertThat(strays.stream().mapToLong(Unattributed::count).sum()).isEqualTo(2L * MergedLog.MOST_STRAYS);
    }

    /** Those of other partitions take no room. */
    @Test
    void moreCheckpointsThanFitIntoMemoryAreRefusedWithWhatToDo() {
        TwoLogs logs = TwoLogs.of(EVENTS, "m m " + SIDE + " m");
        assertThat(MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side, 4)
                        .findings(logs.side))
                .isEmpty();
        assertThatThrownBy(() -> MergedLog.of(TwoLogs.EVENTS, logs.events, TwoLogs.SIDE, logs.side, 3))
                .isInstanceOf(OversizedLogException.class)
                .hasMessageStartingWith("orders-checkpoints-0 holds more than 3 checkpoints of orders-0")
                .hasMessageContaining("delete old ones");
    }

    @Test
    void whatIsReadAheadOfTheSideTopicIsBounded() throws Exception {
        TwoLogs logs = new TwoLogs();
        for (int number = 0; number < 40; number++) {
            int first = 10_000 * Math.max(0, number - 1);
            logs.addSide("a#" + number + ":" + first + "-" + 10_000 * number);
        }
        List<Statement> statements = new ArrayList<>();
        var unused = logs.side.scan(
                0, 40, (record, epoch, millis, content) -> statements.add(new Statement((CheckpointRecord) record)));
        SideLog log = new SideLog(TwoLogs.SIDE, logs.side, 40);
        long one = 10_000 * 32 + 1_000;
        for (Statement statement : statements) {
            assertThat(log.whole(statement).offset()).isEqualTo(statement.sideOffset);
            assertThat(log.keptBytes()).isLessThan(SideLog.MOST_BYTES + (2 << 20) + one);
        }
    }

    /** A checkpoint of 16 kB may have 1,000 ranges, which pack well. */
    @Test
    void soItIsIfItIsOfManyUncertainRanges() throws Exception {
        TwoLogs logs = new TwoLogs();
        SequenceRange[] ranges = IntStream.range(0, Format2Checkpoint.MAX_UNCERTAIN)
                .mapToObj(i -> new SequenceRange(2L * i, 2L * i + 1))
                .toArray(SequenceRange[]::new);
        long next = 2L * Format2Checkpoint.MAX_UNCERTAIN;
        CheckpointRecord first = logs.side.append(
                StreamRecords.ALICE.checkpoint(0, 0, next).uncertainOf(ranges).withoutLeaves()::at);
        for (int i = 1; i < 100; i++) {
            logs.side.append(StreamRecords.of(i)
                    .checkpoint(0, 0, next)
                    .uncertainOf(ranges)
                    .withoutLeaves()::at);
        }
        SideLog log = new SideLog(TwoLogs.SIDE, logs.side, 100);
        assertThat(log.whole(new Statement(first)).offset()).isZero();
        assertThat(log.keptBytes()).isBetween(2L << 20, (2L << 20) + 60_000);
    }
}
