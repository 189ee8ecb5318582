package dev.stormproof.cli.session;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.CompareReport;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.compare.Differences;
import dev.stormproof.proof.compare.LogComparison;
import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A session makes one comparison, partition by partition, and audits both topics where they carry checkpoints.
 *
 * <pre>
 *   source log ──► ComparedLog ──► LogComparison ◄── ComparedLog ◄── target log
 *                                        └──► Differences ──► CompareReport
 *   with checkpoints: AuditSession of each ──► their conclusions
 * </pre>
 */
public final class CompareSession {
    private final Side source;
    private final Side target;
    private final Request request;
    private final CloseStack resources;
    private final Terminal err;
    private final ProgressDisplay progress;
    private final CompareReport report;
    private final SortedSet<Integer> sourceSealed = new TreeSet<>();
    private final SortedSet<Integer> targetSealed = new TreeSet<>();

    /** A topic that is compared, how many partitions it has, and how it is read. */
    public record Side(String topic, int partitions, StormproofConfig config, Admin admin) {
        /** Opens a partition; null if the topic has not so many. */
        @Nullable
        ComparedLog open(int index, List<String> ignored) {
            if (index >= partitions) {
                return null;
            }
            TopicPartition partition = new TopicPartition(topic, index);
            LogReader log = new KafkaLogReader(config.kafkaConsumer(), RecordParsers.newParser(config));
            List<HeaderName> names = ignored.stream().map(HeaderName::new).toList();
            return new ComparedLog(log, partition, WrittenEnd.of(admin, partition), names);
        }
    }

    /**
     * The options of the command.
     *
     * @param others how many partitions of the topics were not asked for
     * @param ignored the names of headers that are not compared
     * @param held true if what expired in one of the logs may be left out
     */
    public record Request(
            SortedSet<Integer> partitions, int others, List<String> ignored, boolean held, boolean json) {}

    public CompareSession(Side source, Side target, Request request, CloseStack resources, Terminal out, Terminal err) {
        this.source = source;
        this.target = target;
        this.request = request;
        this.resources = resources;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
        this.report = new CompareReport(request.held(), request.others(), out);
        request.ignored().forEach(report::addIgnored);
        if (source.partitions != target.partitions) {
            report.addUnlike(source.topic, source.partitions, target.topic, target.partitions);
        }
    }

    /** Compares, prints the report and returns the exit code: whether all of them was found the same, whatever the audits say. */
    public int run() {
        try {
            for (int partition : request.partitions()) {
                compare(partition);
            }
        } catch (KafkaException e) {
            throw Failure.own(
                    "topics " + source.topic + " and " + target.topic + " cannot be compared: " + e.getMessage(), e);
        } finally {
            progress.clear();
        }
        audit("source", source, sourceSealed);
        audit("target", target, targetSealed);
        if (request.json()) {
            report.printJson();
            report.conclusions().forEach(line -> err.println("stormproof: " + line));
        } else {
            report.print();
        }
        return report.exitCode();
    }

    private void compare(int partition) {
        try (ComparedLog openedFrom = source.open(partition, request.ignored());
                ComparedLog openedTo = target.open(partition, request.ignored())) {
            RecordLog from = openedFrom == null ? RecordLog.ABSENT : openedFrom;
            RecordLog to = openedTo == null ? RecordLog.ABSENT : openedTo;
            Differences differences = new LogComparison(from, to, offset -> show(partition, from, offset)).run();
            if (openedFrom != null && openedFrom.hasCheckpoints()) {
                sourceSealed.add(partition);
            }
            if (openedTo != null && openedTo.hasCheckpoints()) {
                targetSealed.add(partition);
            }
            progress.clear();
            report.add(partition, from, to, differences, request.json());
        }
    }

    private void audit(String name, Side side, SortedSet<Integer> sealed) {
        if (sealed.isEmpty()) {
            return;
        }
        AuditSession audit = new AuditSession(
                side.config,
                new AuditSession.Request(side.topic, sealed, AuditScope.WHOLE, AuditSession.DEFAULT_THREADS),
                resources,
                Terminal.nowhere(),
                err);
        audit.run();
        report.addAudit(name, side.topic, audit.report().conclusion());
    }

    private void show(int partition, RecordLog from, long offset) {
        if (resources.isEnding()) {
            throw Failure.own("interrupted at " + source.topic + "-" + partition + "@" + offset);
        }
        long nowMillis = System.nanoTime() / 1_000_000;
        if (!progress.isDue(nowMillis)) {
            return;
        }
        long size = from.endOffset() - from.beginOffset();
        long done = offset - from.beginOffset();
        String text = ReportText.text(
                "partition %d (%,d of %,d): %,d/%,d offsets of the source",
                partition,
                request.partitions().headSet(partition).size() + 1,
                request.partitions().size(),
                done,
                size);
        progress.update(done, size, text, nowMillis);
    }
}
