package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.output.Written;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.MadeLog;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskVerificationTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 2);
    private static final long HOUR_MILLIS = 3_600_000;
    private static final StreamId STREAM = new StreamId("orders", 2, 77);

    private Log log = new Log(7);
    private SimulatedEmitter emitter = new SimulatedEmitter(STREAM, TreeHash.XXH3, true);
    private @Nullable Progress begin = Progress.at(0, TopicIds.UNKNOWN);
    private final List<Finding> findings = new ArrayList<>();
    private final List<Long> topicIds = new ArrayList<>();
    private final List<Throwable> escalated = new ArrayList<>();
    private final LogReadPool pool = new LogReadPool("test", 2, 4, () -> log);
    private final TaskAudits audits = new TaskAudits(pool, escalated::add);

    @AfterEach
    void endThreads() {
        pool.close();
    }

    @Test
    void aPartitionWithoutRecordsIsCoveredAndOneThatIsFollowedStaysAsItIs() {
        TaskVerification verification = verification(Map.of());
        verification.cover(PARTITION, 7, Progress.at(5, TopicIds.UNKNOWN));
        assertThat(verification.progress()).isEqualTo(Map.of(PARTITION, Progress.at(5, 7)));

        verification.cover(PARTITION, 7, Progress.at(9, 7));
        verification.tick(0);

        assertThat(verification.progress()).isEqualTo(Map.of(PARTITION, Progress.at(5, 7)));
        assertThat(verification.covered()).containsExactly(PARTITION);
    }

    @Test
    void aPartitionThatIsDeliveredBeforeItIsCoveredGoesOnFromAllOfItsProgress() {
        log.elect(3);
        checkpoint();
        events(4);
        Written written = new Written(4, Leaders.ofText("0/3"), false, false);
        List<Written> writtenBefore = new ArrayList<>();
        begin = new Progress(2, 3, TopicIds.UNKNOWN, SavedHeads.NOTHING, written, Leaders.ofText("0/3"));
        TaskVerification verification = verification(Map.of(), (partition, before, told) -> {
            writtenBefore.add(before);
            return Optional.empty();
        });

        log.deliver(verification, 2);

        assertThat(writtenBefore).containsExactly(written);
        assertThat(verification.progress())
                .isEqualTo(Map.of(PARTITION, new Progress(2, 3, 7, SavedHeads.NOTHING, null, Leaders.ofText("0/3"))));
    }

    @Test
    void whatIsDeliveredOfAPartitionThatCannotBeTakenOnYetIsReadOnceItIsCovered() {
        checkpoint();
        events(4);
        checkpoint();
        begin = null;
        TaskVerification verification = verification(Map.of());

        deliver(verification, 0, log.size());
        assertThat(verification.progress()).isEmpty();
        verification.cover(PARTITION, 7, Progress.at(0, TopicIds.UNKNOWN));
        settle(verification, 0);

        assertThat(progress(verification)).isEqualTo(log.size());
        assertThat(findings).hasSize(2);
    }

    @Test
    void progressInAnotherTopicCountsForNothingButItsOffset() {
        Progress progress = new Progress(2, 3, 7, SavedHeads.NOTHING, Written.before(4), Leaders.ofText("0/3"));

        assertThat(progress.in(7)).isEqualTo(progress);
        assertThat(progress.in(TopicIds.UNKNOWN)).isEqualTo(progress);
        assertThat(progress.in(8)).isEqualTo(Progress.at(2, 8));
    }

    /** A broker that has lost sight of a topic says what it says of one that was deleted. */
    @Test
    void aTopicThatWasTakenForDeletedAndIsThereAllTheSameIsVerifiedAgain() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, 3);
        log.unknown = true;
        verification.readOn(PARTITION, 7);
        long nowMillis = 0;
        while (!verification.progress().isEmpty()) {
            nowMillis += TaskAudits.BACKOFF.mostMillis();
            settle(verification, nowMillis);
        }
        log.unknown = false;

        verification.cover(PARTITION, 7, Progress.at(0, 7));
        assertThat(verification.progress())
                .as("that may have been seen before it was deleted")
                .isEmpty();

        nowMillis += TaskVerification.GONE_MILLIS;
        settle(verification, nowMillis);
        verification.cover(PARTITION, 7, Progress.at(0, 7));
        assertThat(verification.progress()).containsOnlyKeys(PARTITION);
        verification.readOn(PARTITION, 7);
        settle(verification, nowMillis + 1_000);
        assertThat(progress(verification)).isEqualTo(log.size());
    }

    /** Neither offsets nor leader epochs tell a topic from the one of its name that was deleted before. */
    @Test
    void whatIsReadOfAnotherTopicOfTheSameNameJudgesNothing() {
        checkpoint();
        events(3);
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, log.size());
        findings.clear();
        log.readTopicId = 8;
        emitter.event();
        events(2);
        checkpoint();

        verification.readOn(PARTITION, 7);
        settle(verification, 0);

        assertThat(findings).containsExactly(new MissedRecords(new PartitionId("orders", 2), 1, 4));
        assertThat(verification.progress()).isEmpty();
        verification.cover(PARTITION, 8, Progress.at(0, 8));
        verification.readOn(PARTITION, 8);
        settle(verification, 1_000);
        assertThat(progress(verification)).isEqualTo(1);
        assertThat(topicIds).last().isEqualTo(8L);
    }

    /** Progress passes what was proven: whoever commits it before the findings loses them in a crash. */
    @Test
    void whatABatchBroughtIsHandedOnBehindItAndBeforeItsProgressIsTold() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        for (int offset = 0; offset < log.size(); offset++) {
            log.deliver(verification, offset);
        }
        assertThat(findings).isEmpty();

        assertThat(progress(verification)).isEqualTo(log.size());
        assertThat(findings).hasSize(2);
    }

    /** The verifier was restarted twice since the election. */
    @Test
    void theLeadersOfBeforeARestartAreToldByTheProgressOfBehindIt() {
        log.elect(3);
        checkpoint();
        events(1);
        log.elect(5);
        events(4);
        checkpoint();
        TaskVerification first = verification(Map.of());
        deliver(first, 0, log.size());
        settle(first, 0);
        assertThat(committed(first).leaders()).hasToString("0/3,2/5");

        events(1);
        checkpoint();
        TaskVerification second = verification(Map.of(PARTITION, committed(first)));
        deliver(second, 7, log.size());
        assertThat(committed(second).leaders()).hasToString("0/3,2/5");

        log.elect(6);
        events(1);
        checkpoint();
        TaskVerification third = verification(Map.of(PARTITION, committed(second)));
        deliver(third, 9, log.size());
        settle(third, 0);
        Progress told = committed(third);
        assertThat(told.offset()).isEqualTo(log.size());
        assertThat(told.leaders()).hasToString("0/3,2/5,9/6");
        assertThat(told.leaders().haveCutOff(2, 3))
                .as("what the leader of epoch 3 wrote where the next one wrote then")
                .isTrue();
    }

    @Test
    void partitionsThatAreReadFromTheLogAreCountedAndHowFarTheyAreBehindTheirDeliveries() {
        checkpoint();
        events(9);
        TaskVerification verification = verification(Map.of());
        log.failures.set(1);
        deliver(verification, 0, 4);
        deliver(verification, 6, log.size());

        settle(verification, 0);
        assertThat(verification.numbers().readingPartitions()).isOne();
        assertThat(verification.numbers().logLag()).isEqualTo(log.size() - 4);

        settle(verification, 1_000);
        settle(verification, 1_000);
        assertThat(verification.numbers().readingPartitions()).isZero();
        assertThat(verification.numbers().logLag()).isZero();
    }

    @Test
    void whatWasReadFromTheLogIsTakenBetweenTicksThoughNothingIsDelivered() {
        checkpoint();
        for (int interval = 0; interval < 50; interval++) {
            events(5);
            checkpoint();
        }
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, 4);
        deliver(verification, 6, 7);

        while (pool.pending() > 0) {
            verification.poll();
        }

        assertThat(findings)
                .hasSize(51)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(progress(verification)).isEqualTo(log.size());
    }

    @Test
    void whatTheBrokersCannotServeIsReadLaterAndHoldsTheProgressBack() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        log.failures.set(2);

        deliver(verification, 4, log.size());
        settle(verification, 0);
        settle(verification, 999);
        assertThat(log.failures).hasValue(1);
        assertThat(audits.failing()).isOne();
        assertThat(progress(verification)).isZero();
        settle(verification, 1_000);
        settle(verification, 2_999);
        assertThat(log.failures).hasValue(0);
        assertThat(findings).isEmpty();
        settle(verification, 3_000);

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(progress(verification)).isEqualTo(log.size());
        assertThat(audits.failing()).isZero();
        assertThat(escalated).isEmpty();
    }

    @Test
    void whatCanNeverBeReadIsTriedEverMoreRarelyAndIsReported() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        int many = 10_000;
        log.failures.set(many);
        deliver(verification, 4, log.size());
        for (int second = 1; second <= 3_600; second++) {
            settle(verification, second * 1_000L);
        }

        // 1 + 2 + 4 … + 32 s, and then once a minute.
        int attempts = many - log.failures.get();
        assertThat(attempts).isBetween(60, 70);
        assertThat(escalated)
                .hasSize(attempts / TaskAudits.ESCALATE_EVERY)
                .allSatisfy(trouble -> assertThat(trouble).hasCauseInstanceOf(TimeoutException.class));
        assertThat(findings).isEmpty();
        assertThat(progress(verification)).isZero();
    }

    @Test
    void aFailureThatIsNotTheBrokersEndsTheTask() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        log.broken = true;

        assertThatThrownBy(() -> {
                    deliver(verification, 4, log.size());
                    settle(verification, 1_000);
                })
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void aRestartWithTheHeadsGoesOnAsIfNothingHadStopped() {
        checkpoint();
        events(3);
        TaskVerification first = verification(Map.of());
        deliver(first, 0, log.size());
        settle(first, 0);
        Progress restarted = committed(first);
        assertThat(restarted.offset()).isOne();
        findings.clear();
        checkpoint();

        TaskVerification with = verification(Map.of(PARTITION, restarted));
        deliver(with, 1, log.size());
        settle(with, 0);
        assertThat(findings).singleElement().isInstanceOf(Verified.class);

        findings.clear();
        TaskVerification without = verification(Map.of(PARTITION, restarted.with(SavedHeads.NOTHING)));
        deliver(without, 1, log.size());
        settle(without, 0);
        assertThat(findings)
                .singleElement()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        verdict -> assertThat(verdict.reason()).isEqualTo(Inconclusive.Reason.UNANCHORED));
    }

    @Test
    void aTopicThatWasCreatedAnewIsVerifiedFromItsBeginningAndWhatWasOpenInTheOldOneIsMissed() {
        checkpoint();
        events(20);
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, log.size());
        settle(verification, 0);
        Log old = log;
        findings.clear();
        topicIds.clear();
        log = new Log(8);
        emitter = new SimulatedEmitter(new StreamId("orders", 2, 78), TreeHash.XXH3, true);
        checkpoint();
        events(3);
        checkpoint();

        deliver(verification, 0, log.size());
        settle(verification, 0);

        assertThat(findings).hasSize(3);
        assertThat(findings.get(0)).isEqualTo(new MissedRecords(new PartitionId("orders", 2), 1, 21));
        assertThat(findings.subList(1, 3))
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(topicIds).containsExactly(7L, 8L, 8L);
        assertThat(verification.progress().get(PARTITION))
                .isEqualTo(new Progress(5, 0, 8, SavedHeads.NOTHING, null, Leaders.of(0, 0)));

        // A late delivery of the old topic brings nothing back.
        old.deliver(verification, 20);
        settle(verification, 0);
        assertThat(findings).hasSize(3);
        assertThat(progress(verification)).isEqualTo(5);
    }

    @Test
    void lateRecordsOfTheLastSixteenTopicsOfANameAreDropped() {
        List<Log> logs = new ArrayList<>();
        for (int id = 1; id <= 18; id++) {
            log = new Log(id);
            emitter = new SimulatedEmitter(new StreamId("orders", 2, id), TreeHash.XXH3, true);
            checkpoint();
            logs.add(log);
        }
        TaskVerification verification = verification(Map.of());
        logs.forEach(one -> one.deliver(verification, 0));

        for (Log late : logs.subList(1, 17)) {
            late.deliver(verification, 0);
            assertThat(Objects.requireNonNull(verification.progress().get(PARTITION))
                            .topicId())
                    .isEqualTo(18);
        }
        // Of no more topics than that is the id kept: a name may be used again and again.
        logs.get(0).deliver(verification, 0);
        assertThat(Objects.requireNonNull(verification.progress().get(PARTITION))
                        .topicId())
                .isEqualTo(1);
    }

    @Test
    void aTopicThatWasCreatedAnewIsReadFromItsBeginningEvenIfItsFirstRecordsAreLostOnTheWay() {
        checkpoint();
        events(2);
        TaskVerification verification = verification(Map.of(PARTITION, new Progress(1_000, 6, 6)));
        deliver(verification, 2, log.size());
        settle(verification, 0);

        assertThat(findings).singleElement().isInstanceOf(Verified.class);
        assertThat(progress(verification)).isEqualTo(1);
    }

    @Test
    void whatIsUnderWayForAVerifierThatWasReplacedDoesNotCount() {
        ChainVerifier first = verifier();
        first.readOn();
        checkpoint();
        audits.add(PARTITION, first, id -> true, Optional.empty());
        log.failures.set(1);
        audits.ask(PARTITION);
        audits.add(PARTITION, verifier(), id -> true, Optional.empty());
        while (pool.pending() > 0) {
            assertThat(audits.drain()).isEmpty();
        }

        assertThat(audits.failing()).isZero();
        audits.tick(1_000_000);
        audits.askAll();
        assertThat(pool.pending()).isZero();
    }

    private static ChainVerifier verifier() {
        return ChainLog.verifier(new PartitionId(PARTITION.topic(), PARTITION.partition()), 0);
    }

    /** The progress as a restart reads it from the metadata beside the offset, and the heads. */
    private static Progress committed(TaskVerification verification) {
        Progress told = Objects.requireNonNull(verification.progress().get(PARTITION));
        SavedHeads heads = Objects.requireNonNull(verification.saved().get(PARTITION));
        ProgressMetadata metadata = ProgressMetadata.decode(
                new ProgressMetadata(told.topicId(), Optional.empty(), Optional.empty(), "", told.leaders())
                        .encode("test", 0));
        return new Progress(told.offset(), told.leaderEpoch(), metadata.topicId(), heads, null, metadata.leaders());
    }

    private static long progress(TaskVerification verification) {
        return Objects.requireNonNull(verification.progress().get(PARTITION)).offset();
    }

    private void events(int count) {
        for (int i = 0; i < count; i++) {
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(log.size()).array();
            Event event = emitter.eventOf(value).apply(log.size());
            EventHeader header = new EventHeader(
                    event.emitter(), event.sequence(), event.treeHash(), EventSigners.SHA256_KEY_VALUE, event.stated());
            log.append(value, EventHeader.NAME, header.encode());
        }
    }

    private void checkpoint() {
        CheckpointRecord record = emitter.checkpoint().apply(log.size());
        byte[] header = CheckpointCodec.encode((Format2Checkpoint) record.checkpoint());
        log.append(null, Format2Checkpoint.HEADER, header);
    }

    private void deliver(TaskVerification verification, int begin, int end) {
        for (int offset = begin; offset < end; offset++) {
            log.deliver(verification, offset);
        }
        verification.poll();
    }

    private TaskVerification verification(Map<TopicPartition, Progress> progress) {
        return verification(progress, TaskVerification.Outputs.NONE);
    }

    private TaskVerification verification(Map<TopicPartition, Progress> progress, TaskVerification.Outputs outputs) {
        return new TaskVerification(
                progress,
                partition -> Optional.ofNullable(begin),
                audits,
                InactivityTimeouts.DEFAULT,
                outputs,
                (finding, topicId) -> {
                    findings.add(finding);
                    topicIds.add(topicId);
                },
                WorkerMetrics.ofThisProcess().task(Optional.empty(), "test"));
    }

    /** Its alert is looked for among those of the topic with the id that the progress has. */
    @Test
    void whatTheOutputTellsBearsTheTopicsIdThoughThatBecameKnownLater() {
        List<Consumer<Finding>> told = new ArrayList<>();
        TaskVerification verification = verification(Map.of(), (partition, written, findings) -> {
            told.add(findings);
            return Optional.empty();
        });
        verification.cover(PARTITION, 7, Progress.at(5, TopicIds.UNKNOWN));

        told.get(0)
                .accept(new Undelivered(
                        new PartitionId(PARTITION.topic(), PARTITION.partition()),
                        5,
                        Undelivered.Kind.HALTED,
                        "it does not take it",
                        -1));

        assertThat(verification.progress()).isEqualTo(Map.of(PARTITION, Progress.at(5, 7)));
        assertThat(topicIds).containsExactly(7L);
    }

    @Test
    void aTransactionThatHangsIsReportedAgainAndAgain() {
        checkpoint();
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, log.size());
        log.hidden = 3;
        tickOnce(verification, 0);

        tickOnce(verification, HOUR_MILLIS);
        tickOnce(verification, HOUR_MILLIS + TaskVerification.HANGING_MILLIS - 1);
        assertThat(escalated).isEmpty();
        assertThat(verification.numbers().heldBackSeconds()).isEqualTo(899);
        tickOnce(verification, HOUR_MILLIS + TaskVerification.HANGING_MILLIS);
        tickOnce(verification, HOUR_MILLIS + TaskVerification.HANGING_MILLIS + 1_000);
        tickOnce(verification, HOUR_MILLIS + 2 * TaskVerification.HANGING_MILLIS);

        assertThat(findings).hasSize(1);
        assertThat(escalated)
                .extracting(Throwable::getMessage)
                .hasSize(2)
                .allSatisfy(message ->
                        assertThat(message).contains("cannot be read beyond offset 1", "transaction is open there"));
        log.hidden = 0;
        tickOnce(verification, HOUR_MILLIS + 2 * TaskVerification.HANGING_MILLIS + 1_000);
        tickOnce(verification, HOUR_MILLIS + 2 * TaskVerification.HANGING_MILLIS + 40_000);
        assertThat(verification.numbers().heldBackSeconds()).isZero();
    }

    private void tickOnce(TaskVerification verification, long nowMillis) {
        verification.tick(nowMillis);
        while (pool.pending() > 0) {
            verification.poll();
        }
    }

    private void settle(TaskVerification verification, long nowMillis) {
        do {
            verification.tick(nowMillis);
        } while (pool.pending() > 0);
    }

    private static LogRecordParser newParser() {
        return StreamRecords.parser();
    }

    /** A partition in memory that fails as often as it is told to. */
    private static final class Log extends MadeLog implements LogReader {
        private final List<ProducerRecord<byte[], byte @Nullable []>> stored = new ArrayList<>();
        private final ThreadLocal<LogRecordParser> parser = ThreadLocal.withInitial(TaskVerificationTest::newParser);
        private final NavigableMap<Integer, Integer> epochByBegin = new TreeMap<>(Map.of(0, 0));
        private final AtomicInteger failures = new AtomicInteger();
        private final long topicId;
        private volatile long readTopicId;
        private volatile boolean broken;
        private volatile boolean unknown;
        private volatile int hidden;

        Log(long topicId) {
            this.topicId = topicId;
            this.readTopicId = topicId;
        }

        @Override
        public PartitionReader of(TopicPartition partition) {
            if (unknown) {
                throw new UnknownTopicOrPartitionException();
            }
            return this;
        }

        @Override
        public void close() {}

        int size() {
            return stored.size();
        }

        void append(byte @Nullable [] value, String header, byte[] headerValue) {
            RecordHeaders headers = new RecordHeaders();
            headers.add(header, headerValue);
            stored.add(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, null, value, headers));
        }

        /** What is appended from now on is written by another leader. */
        void elect(int leaderEpoch) {
            epochByBegin.put(size(), leaderEpoch);
        }

        void deliver(TaskVerification verification, int offset) {
            DeliveryLink link = new DeliveryLink(offset, offset - 1L, leaderEpoch(offset));
            verification.take(PARTITION, topicId, link, record(offset), null);
        }

        @Override
        protected int leaderEpoch(long offset) {
            return epochByBegin.headMap((int) offset, true).lastEntry().getValue();
        }

        @Override
        public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
            long end = epochByBegin.entrySet().stream()
                    .filter(leader -> leader.getValue() > leaderEpoch)
                    .mapToLong(Map.Entry::getKey)
                    .findFirst()
                    .orElse(size());
            return new EpochEnd(leaderEpoch, Math.min(offset, end));
        }

        private LogRecord record(int offset) {
            return StreamRecords.parsed(parser.get(), stored.get(offset), offset);
        }

        @Override
        protected long endOffset() {
            return size();
        }

        @Override
        protected LogRecord record(long offset) {
            return record((int) offset);
        }

        @Override
        public Uuid topicId() {
            return new Uuid(0, readTopicId);
        }

        @Override
        public PartitionReader.Bounds bounds() {
            return new PartitionReader.Bounds(0, size(), (long) size() + hidden);
        }

        @Override
        public long scan(long begin, long end, Taker taker) throws ExpiredRangeException {
            if (broken) {
                throw new IllegalStateException("broken");
            }
            if (failures.get() > 0) {
                failures.decrementAndGet();
                throw new TimeoutException("no broker");
            }
            return super.scan(begin, end, taker);
        }
    }
}
