package dev.stormproof.task.live.open;

import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.kafka.ConsumedRecords;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.Heads;
import dev.stormproof.task.heads.HeadsStore;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.FindingsOutbox;
import dev.stormproof.task.live.run.OutputTopics;
import dev.stormproof.task.live.run.ProducerLimits;
import dev.stormproof.task.live.run.PublishedAlerts;
import dev.stormproof.task.live.run.RecordLimits;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.run.Releases;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.task.live.run.TaskProducer;
import dev.stormproof.task.live.run.TaskRun;
import dev.stormproof.task.live.run.TaskTransaction;
import dev.stormproof.task.live.run.TaskVerification;
import dev.stormproof.task.live.run.TransactionalIds;
import dev.stormproof.task.live.watch.ExistingTopics;
import dev.stormproof.task.live.watch.WatchedTopics;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of one task's partitions with its state in Kafka: begins at the committed progress, and writes alerts and further
 * progress.
 *
 * <pre>
 *        committed progress, alerts ──► TaskVerification ──► FindingsOutbox ──► alerts, verdicts, progress
 *                           records ──►        │ ▲
 *                                              ▼ │
 *                                           LogReadPool ◄── the log
 * </pre>
 *
 * <p>Every {@link #tick} writes findings, and a poll does when many wait. If Kafka cannot be written to, that throws; the task must end then,
 * and start again from the committed progress.
 *
 * <p>Belongs to one task and its thread; any thread may call {@link #close} and ask for the metrics.
 */
public final class DurableVerification implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DurableVerification.class);

    /** The most jobs of audits that wait for each thread of the pool. */
    private static final int JOBS_PER_THREAD = 4;

    private final StormproofConfig config;
    private final Consumer<Finding.Type> counted;
    private final PublishedAlerts published;
    private final Heads heads;
    private final FindingsOutbox outbox;
    private final @Nullable OutputTopics output;
    private final Releases releases;
    private final LogReadPool pool;
    private final TaskAudits audits;
    private final TaskVerification verification;
    private final TaskRun run;
    private final TaskMetrics metrics;
    private final TaskInputs inputs;
    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private final long startNanos;
    private volatile boolean closed;
    private boolean readsOn;

    /**
     * The identity of one task among those that share the partitions of a group.
     *
     * @param topologyId the id of the run that the tasks belong to, which every {@link ProgressMetadata} has
     * @param index the task's place among those that share the partitions, from 0; its successor has the same one
     */
    public record Task(String topologyId, int taskId, int index, Predicate<TopicPartition> partitions) {}

    /**
     * Where a reader of a partition begins.
     *
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     * @param offset the first record without a verdict; {@link #BEGINNING} if another topic has the name now
     * @param leaderEpoch of the last record before that; -1 if unknown
     */
    public record Start(long topicId, long offset, int leaderEpoch) {
        public static final long BEGINNING = -1;
    }

    /**
     * The two clocks of a verification.
     *
     * @param nanoTime a monotonic one, which measures inactivity
     * @param wallMillis the time in alerts, in milliseconds since 1970
     */
    record Clocks(LongSupplier nanoTime, LongSupplier wallMillis) {
        static final Clocks SYSTEM = new Clocks(System::nanoTime, System::currentTimeMillis);
    }

    /** Begins for a task; waits for Kafka. */
    public DurableVerification(
            StormproofConfig config, Task task, Consumer<Finding.Type> counted, Consumer<Throwable> errors) {
        this(config, task, counted, errors, Clocks.SYSTEM);
    }

    DurableVerification(
            StormproofConfig config,
            Task task,
            Consumer<Finding.Type> counted,
            Consumer<Throwable> errors,
            Clocks clocks) {
        this.nanoTime = clocks.nanoTime();
        this.wallMillis = clocks.wallMillis();
        this.startNanos = nanoTime.getAsLong();
        this.config = config;
        this.published = new PublishedAlerts(config.groupId());
        this.counted = counted;
        this.releases = new Releases(config);
        Opened opened = new Opened();
        try {
            WatchedTopics watched = config.output.isAny()
                    ? opened.add(WatchedTopics.of(config.kafkaAdmin(), "stormproof-watch-" + task.taskId()))
                    : null;
            ProducerLimits limits = ProducerLimits.of(config, watched == null ? 0 : mostMessageBytes(config, watched));
            // The producer first: it ends the transaction that a dead predecessor left open, and with it settles the
            // progress.
            Producer<byte[], byte[]> producer =
                    TaskProducer.open(config, limits, TransactionalIds.of(config, task.index()));
            opened.add(() -> producer.close(Duration.ZERO));
            GroupProgress progress = GroupProgress.read(config, task.partitions());
            if (TransactionalIds.fenceOthers(config, progress.writers())) {
                progress = GroupProgress.read(config, task.partitions());
            }
            heads = HeadsStore.of(config);
            progress = progress.withHeads(heads);
            TaskTransaction transaction = new TaskTransaction(producer, progress.group(), this::elapsedMillis);
            outbox = new FindingsOutbox(
                    transaction,
                    config,
                    metadata -> metadata.encode(task.topologyId(), task.taskId()),
                    RecordLimits.of(config, limits),
                    published,
                    heads,
                    clocks.wallMillis(),
                    TransactionalIds.writer(config, task.index()));
            Map<TopicPartition, Progress> atStart = progress.partitions();
            transaction.renewBy(new TaskRestart(
                    config,
                    task.index(),
                    task.partitions(),
                    limits,
                    partition -> outbox.reached(partition).or(() -> Optional.ofNullable(atStart.get(partition)))));
            output = watched == null
                    ? null
                    : opened.add(new OutputTopics(
                            config, transaction, limits, watched, clocks.wallMillis(), this::elapsedMillis));
            PublishedAlerts publishedBefore =
                    PublishedAlerts.read(config, progress, progress.alertSpans().keySet(), nanoTime);
            published.takeOn(publishedBefore);
            pool = opened.add(new LogReadPool(
                    "stormproof-" + task.taskId(),
                    config.tasks.auditThreads(),
                    config.tasks.auditThreads() * JOBS_PER_THREAD,
                    () -> newLogReader(config)));
            audits = new TaskAudits(pool, errors);
            metrics = opened.add(WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId()));
            verification = new TaskVerification(
                    progress.partitions(),
                    this::begin,
                    audits,
                    config.checking.silence(),
                    outputs(),
                    this::collect,
                    metrics);
            run = new TaskRun(
                    verification,
                    outbox,
                    transaction,
                    output,
                    releases::of,
                    config.output.divertedTopic().isPresent(),
                    config.tasks.flushMaxFindings(),
                    errors,
                    this::elapsedMillis);
            inputs = opened.add(
                    new TaskInputs(config, task.taskId(), task.partitions(), verification::covered, this::begins));
            for (Map.Entry<TopicPartition, MissedRecords> one :
                    progress.skipped().entrySet()) {
                Heads.Committed known = Objects.requireNonNull(progress.heads().get(one.getKey()));
                collect(one.getValue(), known.topicId());
            }
            metrics.show(new TaskMetrics.Topology(config.tasks.verifying(), true), gauges(), inputs::has);
            LOG.info(
                    "verifying for group {}, alerts go to {}, where {} were read back; progress {}",
                    config.groupId(),
                    config.alerts.topic(),
                    publishedBefore.records(),
                    progress.partitions());
        } catch (RuntimeException | Error e) {
            // The caller tries again as long as Kafka fails it.
            opened.closeAfter(e);
            throw e;
        }
    }

    /**
     * Takes the next record of a partition.
     *
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     * @param link says which record it follows
     * @param content what an output would write; null if {@linkplain #takesContent none} is needed
     */
    public void take(
            TopicPartition partition,
            long topicId,
            DeliveryLink link,
            LogRecord record,
            @Nullable RecordContent content) {
        try {
            run.take(partition, topicId, link, record, content);
        } catch (RuntimeException e) {
            throw closed ? interrupted(e) : e;
        }
    }

    /** Takes the next record of a partition as Kafka's consumer returned it. */
    public void take(
            TopicPartition partition,
            long topicId,
            DeliveryLink link,
            ConsumerRecord<byte[], byte[]> record,
            LogRecordParser parser) {
        take(
                partition,
                topicId,
                link,
                ConsumedRecords.parsed(record, parser),
                takesContent() ? ConsumedRecords.content(record) : null);
    }

    /** The verified partitions, each with the place from which a reader delivers it. For the owner's thread. */
    public Map<TopicPartition, Start> starts() {
        Map<TopicPartition, Long> ids = inputs.partitions();
        Map<TopicPartition, Start> starts = new HashMap<>();
        verification.progress().forEach((partition, progress) -> {
            long id = ids.getOrDefault(partition, progress.topicId());
            boolean anew = id != progress.topicId() && progress.topicId() != TopicIds.UNKNOWN;
            starts.put(
                    partition,
                    anew
                            ? new Start(id, Start.BEGINNING, DeliveryLink.NO_EPOCH)
                            : new Start(id, progress.offset(), progress.leaderEpoch()));
        });
        return starts;
    }

    /** The number of verified partitions of the inputs; any thread may ask. */
    public long covered() {
        return inputs.covered();
    }

    /** For how long nothing could be written; 0 if the last flush succeeded. Any thread may ask. */
    public long unwrittenMillis() {
        return run.unwrittenMillis();
    }

    /** True if records need their content: what trails the verdicts is read from the log. */
    public boolean takesContent() {
        return output != null && !config.output.isHeld();
    }

    /**
     * Writes what waits: output and alerts at every call, progress about once a second. To be called about every
     * {@code flush.interval.ms}.
     */
    public void tick() {
        try {
            inputs.fresh(this::cover);
            run.tick();
        } catch (RuntimeException e) {
            throw closed ? interrupted(e) : e;
        }
    }

    private void cover(Beginnings begins, Map<TopicPartition, Long> topicIds) {
        published.takeOn(begins.published());
        begins.progress().partitions().forEach((partition, begin) -> {
            long topicId = topicIds.getOrDefault(partition, TopicIds.UNKNOWN);
            if (verification.cover(partition, topicId, begin)) {
                Optional.ofNullable(begins.progress().skipped().get(partition))
                        .ifPresent(missed -> collect(missed, topicId));
            }
            if (readsOn) {
                verification.readOn(partition, topicId);
            }
        });
    }

    /** Hands on the findings of the last records, and takes what was read from the log; to be called after each batch of records. */
    public void poll() {
        try {
            run.poll();
        } catch (RuntimeException e) {
            throw closed ? interrupted(e) : e;
        }
    }

    /** Has a partition read up to the end of its log, because records of it cannot be delivered. For the owner's thread. */
    public void readOn(TopicPartition partition, long topicId) {
        verification.readOn(partition, topicId);
    }

    /** Has every partition read up to the end of its log, also those that are covered later. */
    void readOn() {
        readsOn = true;
        verification.progress().forEach((partition, begin) -> verification.readOn(partition, begin.topicId()));
    }

    /** The metrics by their names in Storm, as of the last tick; any thread may ask. */
    public Map<String, Supplier<Number>> gauges() {
        Map<String, Supplier<Number>> gauges = new HashMap<>(metrics.gauges());
        gauges.putAll(Map.of(
                "input-partitions", inputs::expected,
                "covered-partitions", this::covered,
                "kafka-silent-seconds", () -> inputs.silentMillis() / 1_000,
                "audit-jobs", pool::pending,
                "audit-failing-partitions", audits::failing,
                "partitions-reading-log", () -> verification.numbers().readingPartitions(),
                "log-lag", () -> verification.numbers().logLag(),
                "verification-bytes", () -> verification.numbers().sizeBytes(),
                "open-transaction-seconds", () -> verification.numbers().heldBackSeconds()));
        return gauges;
    }

    /**
     * Ends it, from any thread. Storm interrupts a task, waits for a tenth of a second, and closes it even if it is at work. A failure of that
     * work counts as an interruption, for which Storm does not end the worker.
     */
    @Override
    public void close() {
        closed = true;
        inputs.close();
        pool.close();
        releases.close();
        if (output != null) {
            output.close();
        }
        metrics.close();
        outbox.close();
    }

    private static RuntimeException interrupted(RuntimeException e) {
        InterruptedException interruption = new InterruptedException("closed while at work");
        interruption.addSuppressed(e);
        return new IllegalStateException(interruption);
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
    }

    private void collect(Finding finding, long topicId) {
        boolean canary = config.input.isCanary(finding.partition().topic());
        if (!canary) {
            counted.accept(finding.type());
        }
        FindingsOutbox.News news = isIgnored(finding) ? FindingsOutbox.News.IGNORED : outbox.add(finding, topicId);
        if (canary) {
            metrics.planted(finding);
        } else if (news != FindingsOutbox.News.NONE) {
            metrics.found(finding, news == FindingsOutbox.News.FIRST, wallMillis.getAsLong());
        }
    }

    private boolean isIgnored(Finding finding) {
        return !config.checking.alertsOnUnsigned()
                && finding instanceof StrayRecord unattributed
                && unattributed.kind() == UnattributedRecord.Kind.UNSIGNED;
    }

    static LogReader newLogReader(StormproofConfig config) {
        Map<String, Object> consumer = config.kafkaConsumer();
        consumer.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ExistingTopics.TIMEOUT_MILLIS);
        return new ExistingTopics(config.kafkaAdmin(), new KafkaLogReader(consumer, RecordParsers.newParser(config)));
    }

    private Beginnings begins(Set<TopicPartition> partitions) {
        return Beginnings.of(config, partitions, published::has, heads, nanoTime);
    }

    private Optional<Progress> begin(TopicPartition partition) {
        if (!published.has(partition)) {
            return Optional.empty();
        }
        return Optional.of(
                GroupProgress.begins(config, Set.of(partition)).withHeads(heads).of(partition));
    }

    private TaskVerification.Outputs outputs() {
        OutputTopics topics = output;
        return topics == null ? TaskVerification.Outputs.NONE : topics;
    }

    /** The largest known {@code max.message.bytes} of the topics that output is written to. */
    private static int mostMessageBytes(StormproofConfig config, WatchedTopics watched) {
        Set<String> topics = new HashSet<>();
        config.input.topics().forEach(input -> config.outputTopic(input).ifPresent(topics::add));
        config.output.divertedTopic().ifPresent(topics::add);
        watched.watch(topics);
        return topics.stream()
                .map(watched::settings)
                .filter(Objects::nonNull)
                .mapToInt(WatchedTopics.Settings::maxMessageBytes)
                .max()
                .orElse(0);
    }
}
