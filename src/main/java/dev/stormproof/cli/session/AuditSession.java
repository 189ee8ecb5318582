package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.Links;
import dev.stormproof.alert.NeighbourKeys;
import dev.stormproof.alert.dashboard.DashboardModel;
import dev.stormproof.alert.dashboard.OpenEnds;
import dev.stormproof.alert.dashboard.Page;
import dev.stormproof.alert.dashboard.RecordSource;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.AuditReport;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.Audited;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.CompleteFrom;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.log.audit.OfflineVerifier;
import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.log.origin.OriginLogs;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A session makes one audit, some partitions at once, from the log to the report.
 *
 * <pre>
 *   log ──► PartitionReader ──► OfflineVerifier ──► finding ──► Tally ──► AuditReport
 *   origin's log ─────────────────┘                  ├────► JSON
 *                                                    └────► DashboardModel ──► Page
 * </pre>
 */
public final class AuditSession {
    /** How many partitions are audited at once unless the user says: each has memory of its own. */
    public static final int DEFAULT_THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private static final int CLOSE_SECONDS = 10;

    /** For how long records may be read for the page. */
    private static final long CONTENT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The parts of a partition that a progress bar distinguishes. */
    private static final long PARTS = 1_000;

    private final StormproofConfig config;
    private final Links links;
    private final Supplier<AuditClients> clients;
    private final Request request;
    private final CloseStack resources;
    private final Terminal out;
    private final Terminal err;
    private final ProgressDisplay progress;
    private final Tally tally = new Tally();
    private final AuditReport report;
    private final PartitionLines lines;
    private final DashboardModel picture;
    private final Map<Integer, Reached> reached = new TreeMap<>();
    private final long begunMillis = System.nanoTime() / 1_000_000;
    private int partitionsDone;
    private long bytes;
    private volatile boolean stopped;
    private long topicId = Alert.NO_TOPIC_ID;
    private @Nullable StormproofConfig originCluster;
    private @Nullable RecordSource door;
    private Function<List<Anomaly>, NeighbourKeys> keys = anomalies -> NeighbourKeys.NONE;
    private Consumer<Finding> listener = finding -> {};

    /**
     * The options of the command.
     *
     * @param scope what is judged of these partitions, and demanded
     * @param all true if anomalies beyond those that a verdict names are printed as well
     * @param threads how many partitions are audited at once
     * @param html takes the picture of what was found, as a page; null if none is wanted
     * @param circumstances what JSON and page say of the audit itself; null if neither is wanted
     */
    public record Request(
            String topic,
            SortedSet<Integer> partitions,
            AuditScope scope,
            boolean json,
            boolean all,
            int threads,
            @Nullable OutputStream html,
            @Nullable Circumstances circumstances) {
        /** An audit that is printed as text alone. */
        public Request(String topic, SortedSet<Integer> partitions, AuditScope scope, int threads) {
            this(topic, partitions, scope, false, false, threads, null, null);
        }
    }

    public AuditSession(StormproofConfig config, Request request, CloseStack resources, Terminal out, Terminal err) {
        this(config, () -> AuditClients.open(config), request, resources, out, err);
    }

    /** @param clients opens what a thread reads with, when it begins; the thread closes it */
    public AuditSession(
            StormproofConfig config,
            Supplier<AuditClients> clients,
            Request request,
            CloseStack resources,
            Terminal out,
            Terminal err) {
        this.config = config;
        this.links = new Links(
                config.alerts.runbookBaseUrl(),
                config.alerts.auditCommand(),
                config.input.originOptions(),
                config.alerts.recordUrl()::at);
        this.picture = new DashboardModel(false, links.records());
        this.clients = clients;
        this.request = request;
        this.resources = resources;
        this.out = out;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
        this.report = new AuditReport(request.topic(), request.scope(), tally, links.records());
        this.lines = new PartitionLines(request.partitions(), this::print);
    }

    /** Audits, prints the report and returns the exit code. */
    public int run() {
        Queue<Integer> next = new ConcurrentLinkedQueue<>(request.partitions());
        int threads = Math.min(request.threads(), request.partitions().size());
        try {
            if (threads <= 1) {
                auditAll(next);
            } else {
                auditWith(threads, next);
            }
        } catch (KafkaException e) {
            throw Failure.own(
                    "topic " + request.topic() + " cannot be read from Kafka at " + config.bootstrapServers() + ": "
                            + e.getMessage(),
                    e);
        } finally {
            progress.clear();
        }
        if (request.json()) {
            report.printJson(Objects.requireNonNull(request.circumstances()), out);
            conclude(report.conclusion(), out, err);
        } else {
            report.print(out, keys);
        }
        writePage();
        return report.exitCode();
    }

    /** Prints the conclusion to standard error beside JSON, unless the reader of standard output is gone. */
    public static void conclude(String conclusion, Terminal out, Terminal err) {
        if (!out.hasClosedPipe()) {
            err.println("stormproof: " + conclusion);
        }
    }

    private void writePage() {
        if (request.html() != null) {
            picture.about("An audit of " + request.topic() + ", from the log alone");
            picture.concluded(ExitCode.word(report.exitCode()), report.notJudged());
            picture.facts(report.facts(Objects.requireNonNull(request.circumstances())));
            if (door != null) {
                picture.read(door, System.nanoTime() + CONTENT_NANOS);
            }
            try {
                request.html()
                        .write(Page.of(picture, System.currentTimeMillis())
                                .html()
                                .getBytes(UTF_8));
            } catch (IOException e) {
                throw Failure.own("--html: the page cannot be written: " + e.getMessage(), e);
            }
        }
    }

    /** Audits several partitions at once; the first failure ends all. */
    private void auditWith(int threads, Queue<Integer> next) {
        ExecutorService pool = Executors.newFixedThreadPool(threads, AuditSession::newThread);
        CompletionService<Void> audits = new ExecutorCompletionService<>(pool);
        try {
            for (int thread = 0; thread < threads; thread++) {
                audits.submit(() -> auditAll(next), null);
            }
            for (int done = 0; done < threads; done++) {
                audits.take().get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : Failure.unexpected(Objects.requireNonNullElse(e.getCause(), e));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            stopped = true;
            pool.shutdownNow();
            awaitEnd(pool);
        }
    }

    /** Waits until nothing more is printed; what a broker keeps waiting is given up. */
    private static void awaitEnd(ExecutorService pool) {
        try {
            var unused = pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread newThread(Runnable audit) {
        Thread thread = new Thread(audit, "stormproof-audit");
        thread.setDaemon(true);
        return thread;
    }

    /** Hands every final finding to a listener; to be called before it runs. */
    public AuditSession onFinding(Consumer<Finding> listener) {
        this.listener = listener;
        return this;
    }

    /**
     * Counts these alerts as accepted; to be called before it runs.
     *
     * @param ofTopicId the topic's, as alerts have it
     */
    public AuditSession accepting(List<Acceptance> accepted, long ofTopicId) {
        topicId = ofTopicId;
        accepted.forEach(word -> {
            tally.accept(word);
            picture.accept(word);
        });
        return this;
    }

    /** Has the log of the topic's origin say on which hop anomalies came about, read by the clients of this; null: none is read. */
    public AuditSession askingOriginAt(@Nullable StormproofConfig cluster) {
        originCluster = cluster;
        return this;
    }

    /** Has the page show what is at the places that findings name, read by this connection; null: nothing of it. */
    public AuditSession showingContent(@Nullable Connection connection) {
        door = connection == null ? null : new RecordContents(connection);
        return this;
    }

    /** Has the text name the keys beside what was lost, read by this connection; null: none of them. */
    public AuditSession showingKeys(@Nullable Connection connection) {
        if (connection != null) {
            keys = ReadKeys.of(connection)::readOf;
        }
        return this;
    }

    /** The report, complete once the session has run. */
    public AuditReport report() {
        return report;
    }

    private void auditAll(Queue<Integer> next) {
        try (AuditClients opened = clients.get();
                OriginLogs origins = openOriginLogs()) {
            for (Integer partition = next.poll(); partition != null; partition = next.poll()) {
                audit(new TopicPartition(request.topic(), partition), opened, origins);
                lines.end(partition);
            }
        }
    }

    private OriginLogs openOriginLogs() {
        StormproofConfig cluster = originCluster;
        return cluster == null
                ? OriginLogs.NONE
                : new OriginLogs(
                        RecordParsers.originsOf(config).byTopic(),
                        // An origin's own checkpoints name it.
                        () -> new KafkaLogReader(
                                cluster.kafkaConsumer(), RecordParsers.newParser(config, Origins.NONE)));
    }

    private void audit(TopicPartition partition, AuditClients opened, OriginLogs origins) {
        int index = partition.partition();
        // Two readers: one goes through the range, the other goes back and forth between intervals.
        PartitionReader reader = opened.ahead().of(partition);
        PartitionReader log = opened.back().of(partition);
        // First what is written, then how far that can be read: what comes in between is no open transaction.
        long written = WrittenEnd.of(opened.admin(), partition);
        boolean unused = WrittenEnd.becomesReadable(reader, written);
        Bounds bounds = reader.bounds();
        long logBegin = Math.min(bounds.begin(), bounds.end());
        Range range = rangeOf(reader, opened.admin(), partition, logBegin, bounds.end(), written);
        InactivityTimeouts timeouts = config.checking.silence();
        Contents contents = new OfflineVerifier(
                        reader,
                        log,
                        origins.of(partition),
                        range,
                        timeouts,
                        finding -> take(index, finding),
                        request.all() ? page -> takeFurther(index, page) : page -> {},
                        (offset, bytesRead) -> show(range, offset, bytesRead))
                .run();
        done(new Audited(range, logBegin, contents, isComplete(range, reader)));
    }

    private boolean isComplete(Range range, PartitionReader reader) {
        CompleteFrom demanded = request.scope().completeFrom();
        return demanded == null || demanded.offsetIn(range.begin(), reader::offsetForTime) >= 0;
    }

    private Range rangeOf(
            PartitionReader reader, Admin admin, TopicPartition partition, long logBegin, long logEnd, long written) {
        long nowMillis = System.currentTimeMillis();
        Long from = request.scope().from();
        Long to = request.scope().to();
        Instant since = request.scope().since();
        Instant until = request.scope().until();
        long begin = from != null
                ? from
                : since == null
                        ? logBegin
                        : Math.max(logBegin, Math.min(reader.offsetForTime(since.toEpochMilli()), logEnd));
        long end = to != null
                ? to
                : until == null ? logEnd : OfflineVerifier.endBefore(reader, until.toEpochMilli(), logEnd);
        if (begin < logBegin || begin > logEnd) {
            throw outOfRange("--from " + begin, partition, logBegin, logEnd);
        }
        if (end < begin || end > logEnd) {
            throw outOfRange("--to " + end, partition, begin, logEnd);
        }
        if (written > logEnd) {
            say("stormproof: " + partition + " is read up to " + logEnd + " of " + written
                    + ": a producer's transaction is open there"
                    + WrittenEnd.writerAt(admin, partition, logEnd) + "; whether a stream is unsealed is left open");
        }
        return new Range(partition, begin, end, logEnd, Math.max(logEnd, written), nowMillis);
    }

    private synchronized void say(String line) {
        progress.clear();
        err.println(line);
    }

    private static Failure outOfRange(String option, TopicPartition partition, long least, long most) {
        return Failure.usage(option + ": for " + partition + " it can be from " + least + " to " + most
                + ", which is what the log holds; without it, that is where the range ends");
    }

    private void take(int partition, Finding finding) {
        if (finding instanceof StrayRecord record
                && record.kind() == UnattributedRecord.Kind.UNSIGNED
                && !config.checking.alertsOnUnsigned()) {
            ignore(record);
            return;
        }
        note(new Alert("", 0, topicId, finding));
        if (request.json()) {
            lines.print(partition, new String(AlertJson.writeData(finding, links), UTF_8));
        }
    }

    private synchronized void ignore(StrayRecord records) {
        report.addUnsigned(records.count());
    }

    private synchronized void note(Alert alert) {
        tally.add(alert);
        listener.accept(alert.finding());
        if (request.html() != null) {
            picture.add(alert);
        }
    }

    /** Prints at once or in its turn, so that nothing is kept. */
    private void takeFurther(int partition, Violated page) {
        synchronized (this) {
            report.addFurther(page.anomalies().size());
        }
        if (request.json()) {
            lines.print(partition, new String(AlertJson.writeData(page, links), UTF_8));
        } else {
            page.anomalies()
                    .forEach(anomaly -> lines.print(
                            partition,
                            "  " + AlertText.linesWith(links.records()).apply(anomaly)));
        }
    }

    private synchronized void print(String line) {
        progress.clear();
        out.println(line);
    }

    private synchronized void done(Audited audited) {
        report.add(audited);
        picture.open(new PartitionId(request.topic(), audited.partition()), openEnds(audited.contents()));
        partitionsDone++;
        reached.remove(audited.partition());
    }

    private static OpenEnds openEnds(Contents contents) {
        return new OpenEnds(
                contents.open().streams() - contents.open().reportedStreams(),
                contents.open().events() - contents.open().reportedEvents(),
                contents.open().named().stream()
                        .map(end -> new OpenEnds.Stream(
                                end.stream(), end.emitterName(), end.checkpointOffset(), end.events(), end.overdue()))
                        .toList());
    }

    private synchronized void show(Range range, long offset, long bytesRead) {
        if (resources.isEnding() || stopped) {
            throw Failure.own("interrupted at " + range.partition() + "@" + offset);
        }
        Reached before = reached.getOrDefault(range.partition().partition(), Reached.NOTHING);
        long size = range.end() - range.begin();
        long done = Math.min(offset, range.end()) - range.begin();
        reached.put(range.partition().partition(), new Reached(done, size, bytesRead));
        bytes += bytesRead - before.bytes();
        long nowMillis = System.nanoTime() / 1_000_000;
        if (!progress.isDue(nowMillis)) {
            return;
        }
        long partitions = request.partitions().size();
        double parts = partitionsDone
                + reached.values().stream().mapToDouble(Reached::part).sum();
        String beyond = offset > range.end() && reached.size() == 1 ? ", deciding what is before its end" : "";
        String text = ReportText.text(
                "%,d of %,d partitions done, %.1f %% of all offsets%s, %.1f MB/s, %,d violated",
                partitionsDone,
                partitions,
                100 * parts / partitions,
                beyond,
                bytes / 1_000.0 / Math.max(1, nowMillis - begunMillis),
                tally.total().violated());
        progress.update(Math.round(parts * PARTS), partitions * PARTS, text, nowMillis);
    }

    /**
     * How far a partition has been audited.
     *
     * @param offsets how many offsets of its range were read
     * @param bytes how many bytes of records were read for that
     */
    private record Reached(long offsets, long size, long bytes) {
        static final Reached NOTHING = new Reached(0, 0, 0);

        double part() {
            return size == 0 ? 0 : (double) offsets / size;
        }
    }
}
