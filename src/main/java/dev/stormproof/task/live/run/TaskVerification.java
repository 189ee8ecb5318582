package dev.stormproof.task.live.run;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.metrics.PartitionNumbers;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.output.PartitionOutput;
import dev.stormproof.task.output.VerifiedOutput;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of all partitions of one task: takes records, makes findings, and reads the log where needed.
 *
 * <p>Its owner calls {@link #poll} after each batch of records, which hands the findings on. The threads of a pool read the log;
 * {@link #poll} and {@link #tick} take their answers and submit the next queries. Until an answer is there, a partition's progress does
 * not pass the intervals that it is about.
 *
 * <p>Only tuples and ticks drive a bolt, so an answer may wait for a second when nothing is delivered. Therefore one query reads as much as
 * {@link Bounds#pieceBytes} allows: some 60,000 records.
 *
 * <p>Not thread-safe: one task, one thread. Any thread may ask for the numbers of the last tick.
 */
public final class TaskVerification {
    private static final Logger LOG = LoggerFactory.getLogger(TaskVerification.class);

    /** How many earlier topic ids are remembered, to drop their late records. */
    private static final int MAX_PREVIOUS = 16;

    /** After how long a topic that counted as deleted is verified again, if the brokers know it after all. */
    public static final long GONE_MILLIS = 60_000;

    /** Kafka's default of {@code transaction.max.timeout.ms}. */
    static final long HANGING_MILLIS = 900_000;

    private final Function<TopicPartition, Optional<Progress>> begins;
    private final TaskAudits audits;
    private final InactivityTimeouts timeouts;
    private final Outputs outputs;
    private final ObjLongConsumer<Finding> findings;
    private final TaskMetrics metrics;
    private final Map<TopicPartition, Followed> partitions = new HashMap<>();
    /** The partitions that have taken records since they were last drained. */
    private final List<Followed> undrained = new ArrayList<>();

    /** Partitions with delivered records that are not covered yet. */
    private final Set<TopicPartition> awaited = new HashSet<>();

    private final Set<TopicPartition> dropped = new HashSet<>();

    private final Map<TopicPartition, Deque<Previous>> previousTopics = new HashMap<>();
    private long nowMillis;
    private volatile Numbers numbers = new Numbers(0, 0, 0, 0);
    private volatile Set<TopicPartition> covered = Set.of();

    /** The id of a topic that is not followed any more, and since when. */
    private record Previous(long topicId, long sinceMillis) {}

    /** A partition of the topic with one id. */
    private static final class Followed {
        private final TopicPartition partition;
        private final ChainVerifier verifier;
        private final @Nullable PartitionOutput output;
        private final @Nullable VerifiedOutput held;
        /** Of each kind what was found since the last tick: one alert a second, however many come. */
        private final Map<UnattributedRecord.Kind, StrayRecord> strays = new EnumMap<>(UnattributedRecord.Kind.class);

        private long topicId;
        private long heldBackReports;
        private boolean undrained;

        Followed(
                TopicPartition partition,
                ChainVerifier verifier,
                @Nullable PartitionOutput output,
                @Nullable VerifiedOutput held,
                Progress begin) {
            this.partition = partition;
            this.verifier = verifier;
            this.output = output;
            this.held = held;
            this.topicId = begin.topicId();
        }

        /** The progress, which does not pass what the output has not written. */
        Progress progress() {
            hold();
            return new Progress(
                    verifier.progressOffset(),
                    verifier.progressEpoch(),
                    topicId,
                    SavedHeads.NOTHING,
                    output == null ? null : output.written(),
                    verifier.progressLeaders());
        }

        void hold() {
            long holdAt = firstStray();
            if (output != null) {
                holdAt = Math.min(holdAt, output.standsAt().orElse(Long.MAX_VALUE));
            }
            verifier.holdAt(held == null ? holdAt : Math.min(holdAt, held.nextOffset()));
        }

        /** The first stray record without an alert; {@link Long#MAX_VALUE} if there is none. */
        long firstStray() {
            return strays.values().stream().mapToLong(StrayRecord::offset).min().orElse(Long.MAX_VALUE);
        }

        /** True if the id is this topic's, or one of the two is unknown. */
        boolean isOf(long id) {
            if (topicId == TopicIds.UNKNOWN) {
                topicId = id;
            }
            return id == TopicIds.UNKNOWN || id == topicId;
        }
    }

    /**
     * The numbers of all partitions together.
     *
     * @param readingPartitions how many are read from the log
     * @param logLag how many delivered records are still to be read there
     * @param sizeBytes about how much memory streams and intervals take
     * @param heldBackSeconds for how long the longest open transaction has kept a partition from being read on
     */
    public record Numbers(int readingPartitions, long logLag, long sizeBytes, long heldBackSeconds) {
        private static Numbers of(List<ChainVerifier> all) {
            List<LogFeed> feeds = all.stream().map(ChainVerifier::feed).toList();
            List<LogFeed> reading = feeds.stream().filter(LogFeed::isReading).toList();
            long heldBackMillis =
                    feeds.stream().mapToLong(LogFeed::heldBackMillis).max().orElse(0);
            return new Numbers(
                    reading.size(),
                    reading.stream().mapToLong(LogFeed::lag).sum(),
                    all.stream().mapToLong(ChainVerifier::sizeBytes).sum(),
                    heldBackMillis / 1_000);
        }
    }

    public interface Outputs {
        Outputs NONE = (partition, written, findings) -> Optional.empty();

        /** The output of a partition that was written up to some offset before. */
        Optional<PartitionOutput> of(TopicPartition partition, Written written, Consumer<Finding> findings);

        /** The verified topic that an output is of; empty if it does not wait for its input to be verified. */
        default Optional<VerifiedOutput> held(TopicPartition partition, PartitionOutput output, Progress progress) {
            return Optional.empty();
        }

        /** True if no unsigned checkpoint is believed: then a verified topic waits for no stream without one. */
        default boolean areSigned() {
            return false;
        }
    }

    /**
     * @param progressAtStart the progress of the task's partitions when it began
     * @param begins the beginning of any other partition; empty until it is {@linkplain #cover covered}
     * @param findings takes each finding with the id of its topic
     */
    public TaskVerification(
            Map<TopicPartition, Progress> progressAtStart,
            Function<TopicPartition, Optional<Progress>> begins,
            TaskAudits audits,
            InactivityTimeouts timeouts,
            Outputs outputs,
            ObjLongConsumer<Finding> findings,
            TaskMetrics metrics) {
        this.begins = begins;
        this.audits = audits;
        this.timeouts = timeouts;
        this.outputs = outputs;
        this.findings = findings;
        this.metrics = metrics;
        progressAtStart.forEach((partition, progress) -> follow(partition, progress));
        covered = Set.copyOf(partitions.keySet());
    }

    /**
     * Takes the next record of a partition.
     *
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     */
    public void take(
            TopicPartition partition,
            long topicId,
            DeliveryLink link,
            LogRecord record,
            @Nullable RecordContent content) {
        Followed followed = followed(partition, topicId);
        if (followed == null) {
            return;
        }
        followed.verifier.take(link, new Read(record, link.leaderEpoch(), record.writtenMillis(), content));
        drainLater(followed);
    }

    private void drainLater(Followed followed) {
        if (!followed.undrained) {
            followed.undrained = true;
            undrained.add(followed);
        }
    }

    /**
     * Covers a partition of which nothing was delivered yet; one that is followed stays as it is.
     *
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     * @param begin where to begin
     * @return true if it is covered now, and was not before
     */
    public boolean cover(TopicPartition partition, long topicId, Progress begin) {
        if (partitions.containsKey(partition)) {
            return false;
        }
        previousTopics
                .getOrDefault(partition, new ArrayDeque<>())
                .removeIf(one -> one.topicId() == topicId && nowMillis - one.sinceMillis() >= GONE_MILLIS);
        if (isPrevious(partition, topicId)) {
            return false;
        }
        Followed followed = follow(partition, begin);
        followed.topicId = followed.topicId == TopicIds.UNKNOWN ? topicId : followed.topicId;
        if (awaited.remove(partition)) {
            readOn(partition, topicId);
        }
        return true;
    }

    private boolean isPrevious(TopicPartition partition, long topicId) {
        return previousTopics.getOrDefault(partition, new ArrayDeque<>()).stream()
                .anyMatch(one -> one.topicId() == topicId);
    }

    /** The verified partitions as of the last tick; any thread may ask. */
    public Set<TopicPartition> covered() {
        return covered;
    }

    /** Has a partition read up to the end of its log, because delivered records were not taken. */
    public void readOn(TopicPartition partition, long topicId) {
        Followed followed = followed(partition, topicId);
        if (followed != null) {
            followed.verifier.readOn();
            audits.ask(partition);
        }
    }

    /** Hands on the findings from the last records, and takes the answers that have come. */
    public void poll() {
        drainTaken();
        List<TopicPartition> answered = audits.drain();
        if (!answered.isEmpty()) {
            answered.forEach(partition -> drain(Objects.requireNonNull(partitions.get(partition))));
            audits.drainGone().forEach(this::drop);
            audits.askAll();
        }
    }

    /** The partitions that were dropped since the last call, whose output and findings since the last commit have no progress. */
    Set<TopicPartition> drainDropped() {
        Set<TopicPartition> drained = Set.copyOf(dropped);
        dropped.clear();
        return drained;
    }

    /** Submits queries for which there was no room before the last commit. */
    void askOn() {
        audits.askAll();
    }

    private void drainTaken() {
        if (undrained.isEmpty()) {
            return;
        }
        List<Followed> taken = List.copyOf(undrained);
        undrained.clear();
        for (Followed followed : taken) {
            followed.undrained = false;
            drain(followed);
            audits.ask(followed.partition);
        }
    }

    /** To be called about once a second: tries failed audits again, and looks for inactive streams. */
    public void tick(long millis) {
        nowMillis = millis;
        audits.tick(nowMillis);
        poll();
        partitions.values().forEach(followed -> {
            followed.verifier.tick(nowMillis);
            drain(followed);
            reportStrays(followed);
            if (followed.held != null) {
                followed.held.tick(nowMillis);
            }
        });
        goOn();
        audits.askAll();
        numbers = Numbers.of(
                partitions.values().stream().map(followed -> followed.verifier).toList());
        count(partition -> 0);
        covered = Set.copyOf(partitions.keySet());
        partitions.forEach(this::reportHeldBack);
    }

    /** Reports a transaction that is open for longer than Kafka allows by default: it hangs, and never ends by itself. */
    private void reportHeldBack(TopicPartition partition, Followed followed) {
        long reports = followed.verifier.feed().heldBackMillis() / HANGING_MILLIS;
        if (reports > followed.heldBackReports) {
            audits.report(new IllegalStateException(partition + " cannot be read beyond offset "
                    + followed.verifier.feed().nextOffset() + ": a producer's transaction is open there since "
                    + reports * HANGING_MILLIS / 60_000
                    + " min or more; until it ends nothing after it is verified, and no inactive stream is reported"));
        }
        followed.heldBackReports = reports;
    }

    /** The numbers of all partitions together, as of the last tick; any thread may ask. */
    public Numbers numbers() {
        return numbers;
    }

    /** The progress of each partition. A reader that begins there misses no record without a verdict. */
    public Map<TopicPartition, Progress> progress() {
        // Findings go first: progress passes what is decided, and a crash would lose them.
        drainTaken();
        Map<TopicPartition, Progress> progress = new HashMap<>();
        partitions.forEach((partition, followed) -> progress.put(partition, followed.progress()));
        return progress;
    }

    /** What is to be kept of each partition's streams at its progress. */
    public Map<TopicPartition, SavedHeads> saved() {
        Map<TopicPartition, SavedHeads> saved = new HashMap<>();
        partitions.forEach((partition, followed) -> saved.put(partition, followed.verifier.saved()));
        return saved;
    }

    /** The records at which outputs are halted, by partition. */
    Map<TopicPartition, Long> halted() {
        Map<TopicPartition, Long> halted = new HashMap<>();
        partitions.forEach((partition, followed) -> {
            if (followed.output != null) {
                followed.output.haltedAt().ifPresent(offset -> halted.put(partition, offset));
            }
        });
        return halted;
    }

    /**
     * Lets a halted output go on: its partition is read again from the progress, as after a restart, unless it is a verified topic that has
     * what it needs.
     *
     * @param goOnWithout whether the output goes on without the event, if it is not verified, or else
     * @param divert whether the event is diverted if the transform fails on it again
     */
    void release(TopicPartition partition, boolean goOnWithout, boolean divert) {
        Followed followed = Objects.requireNonNull(partitions.get(partition));
        long halted = Objects.requireNonNull(followed.output).haltedAt().orElseThrow();
        if (followed.held != null) {
            followed.held.release(halted, goOnWithout);
        }
        Followed again = goesOn(followed) ? followed : readAgain(partition, followed);
        if (divert) {
            Objects.requireNonNull(again.output).divertAt(halted);
        }
        audits.ask(partition);
    }

    /** Lets outputs go on whose topic takes records again, whose event was verified after all, or that lack verdicts. */
    private void goOn() {
        partitions.forEach((partition, followed) -> {
            PartitionOutput waits = followed.output;
            boolean trails = followed.held != null && followed.held.mayGoOn();
            if (waits != null && (waits.mayGoOn() || trails)) {
                goOn(partition, followed, waits);
            }
        });
    }

    /** Takes back the output of a partition from a record that was removed from the transaction. */
    void refused(ProduceErrorKind refusal) {
        Followed followed = partitions.get(refusal.input());
        PartitionOutput output = followed == null ? null : followed.output;
        if (followed == null || output == null) {
            return;
        }
        if (refusal.cause() == ProduceErrorKind.Cause.PARTITION) {
            output.unavailable(refusal.offset(), refusal.writtenMillis(), refusal.why());
        } else if (output.refused(refusal.offset(), refusal.writtenMillis(), refusal.why())) {
            goOn(refusal.input(), followed, output);
        }
    }

    private void goOn(TopicPartition partition, Followed followed, PartitionOutput output) {
        if (goesOn(followed)) {
            audits.ask(partition);
        } else {
            Objects.requireNonNull(readAgain(partition, followed).output).goOnFrom(output);
        }
    }

    private static boolean goesOn(Followed followed) {
        return followed.held != null && followed.held.goOn();
    }

    /** Reads a partition again from its progress, for an output that is halted or waits. */
    private Followed readAgain(TopicPartition partition, Followed followed) {
        Followed again = follow(partition, followed.progress().with(followed.verifier.saved()));
        if (again.held != null && followed.held != null) {
            again.held.goOnFrom(followed.held);
        }
        // At once: the next event may take a while.
        again.verifier.readOn();
        audits.ask(partition);
        return again;
    }

    /** The partition of a record; null if it is not covered yet, or its topic was deleted and another one has the name. */
    private @Nullable Followed followed(TopicPartition partition, long topicId) {
        Followed known = partitions.get(partition);
        if (known != null && known.isOf(topicId)) {
            return known;
        }
        if (isPrevious(partition, topicId)) {
            return null;
        }
        if (known != null) {
            LOG.warn("{} was created again", partition.topic());
            abandon(partition, known);
        }
        Progress begin = begins.apply(partition).orElse(null);
        if (begin == null) {
            awaited.add(partition);
            return null;
        }
        return follow(partition, begin.in(topicId));
    }

    void drop(String topic) {
        LOG.warn("{} was deleted: its undecided records are reported as missed", topic);
        for (TopicPartition partition : List.copyOf(partitions.keySet())) {
            if (partition.topic().equals(topic)) {
                abandon(partition, Objects.requireNonNull(partitions.remove(partition)));
                audits.remove(partition);
                dropped.add(partition);
            }
        }
    }

    /** Makes the last findings about a partition of a deleted topic, and remembers the topic to drop late records. */
    private void abandon(TopicPartition partition, Followed followed) {
        followed.verifier.abandon();
        drain(followed);
        reportStrays(followed);
        if (followed.topicId != TopicIds.UNKNOWN) {
            Deque<Previous> previous = previousTopics.computeIfAbsent(partition, first -> new ArrayDeque<>());
            previous.add(new Previous(followed.topicId, nowMillis));
            if (previous.size() > MAX_PREVIOUS) {
                previous.remove();
            }
        }
    }

    private Followed follow(TopicPartition partition, Progress progress) {
        Written written = Objects.requireNonNullElseGet(progress.written(), () -> Written.before(progress.offset()));
        AtomicReference<Followed> own = new AtomicReference<>();
        Optional<PartitionOutput> output = outputs.of(partition, written, finding -> {
            Followed known = own.get();
            long topicId = known == null ? progress.topicId() : known.topicId; // It may have become known since.
            findings.accept(finding, topicId);
        });
        Optional<VerifiedOutput> held = output.flatMap(one -> outputs.held(partition, one, progress));
        Optional<LogSink> sink = held.<LogSink>map(one -> one).or(() -> output.map(one -> one));
        ChainVerifier verifier = new ChainVerifier(
                idOf(partition),
                progress.offset(),
                // What a leader wrote that only the metadata names may have been cut off and never be read.
                progress.leaders().agreeingWith(progress.offset() - 1, progress.leaderEpoch()),
                progress.heads(),
                timeouts,
                Bounds.DEFAULT,
                sink);
        audits.add(partition, verifier, id -> Objects.requireNonNull(own.get()).isOf(id), held);
        Followed followed = new Followed(partition, verifier, output.orElse(null), held.orElse(null), progress);
        own.set(followed);
        partitions.put(partition, followed);
        return followed;
    }

    private void drain(Followed followed) {
        for (Finding finding : followed.verifier.drainFindings()) {
            if (finding instanceof StrayRecord stray) {
                followed.strays.merge(stray.kind(), stray, StrayRecord::and);
            } else {
                report(followed, finding);
            }
        }
        judged(followed);
    }

    private void reportStrays(Followed followed) {
        if (!followed.strays.isEmpty()) {
            followed.strays.values().forEach(stray -> report(followed, stray));
            followed.strays.clear();
            judged(followed);
        }
    }

    private void report(Followed followed, Finding finding) {
        if (followed.held != null) {
            followed.held.found(finding);
        }
        findings.accept(finding, followed.topicId);
    }

    private void judged(Followed followed) {
        if (followed.held != null) {
            long judged = followed.verifier.judgedOffset(outputs.areSigned());
            followed.held.verified(Math.min(judged, followed.firstStray()));
        }
        followed.hold();
    }

    /**
     * Updates the metrics.
     *
     * @param deliveredEnd the end of the records of a partition that were delivered and not taken; 0 if there are none
     */
    void count(ToLongFunction<TopicPartition> deliveredEnd) {
        metrics.retain(partitions.keySet().stream().map(TaskVerification::idOf).toList());
        partitions.forEach((partition, followed) -> {
            ChainVerifier verifier = followed.verifier;
            PartitionId id = idOf(partition);
            metrics.read(id, verifier.events());
            long end =
                    Math.max(verifier.feed().nextOffset() + verifier.feed().lag(), deliveredEnd.applyAsLong(partition));
            PartitionNumbers numbers = metrics.of(id);
            numbers.reached(end, verifier.progressOffset());
            numbers.read(
                    verifier.feed().nextOffset(),
                    verifier.progressOffset(),
                    verifier.firstMillis(),
                    verifier.lastMillis());
            boolean halted =
                    followed.output != null && followed.output.standsAt().isPresent();
            VerifiedOutput held = followed.held;
            numbers.show(new PartitionNumbers.Snapshot(
                    state(partition, verifier, halted),
                    verifier.openEvents(),
                    verifier.openStreams(),
                    verifier.silentStreams(),
                    halted ? 1 : 0,
                    held == null ? 0 : held.trailing(),
                    held == null ? 0 : held.trailsMillis() / 1_000.0,
                    held == null ? 0 : held.unverified()));
        });
        metrics.tick();
    }

    private PartitionNumbers.State state(TopicPartition partition, ChainVerifier verifier, boolean halted) {
        if (audits.isFailing(partition)) {
            return PartitionNumbers.State.FAILING;
        } else if (halted) {
            return PartitionNumbers.State.HALTED;
        }
        return verifier.feed().isReading() ? PartitionNumbers.State.READING : PartitionNumbers.State.FOLLOWING;
    }

    private static PartitionId idOf(TopicPartition partition) {
        return new PartitionId(partition.topic(), partition.partition());
    }
}
