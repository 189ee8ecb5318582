package dev.stormproof.cli;

import dev.stormproof.compare.Differences;
import dev.stormproof.compare.LogComparison;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.submit.Failure;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * A session makes one comparison, partition by partition, and audits both topics where they carry checkpoints.
 *
 * <pre>
 *   source log ──► ComparedLog ──► LogComparison ◄── ComparedLog ◄── target log
 *                                        └──► Differences ──► CompareReport
 *   with checkpoints: AuditSession of each ──► their conclusions
 * </pre>
 */
final class CompareSession {
    private final Side source;
    private final Side target;
    private final SortedSet<Integer> partitions;
    private final boolean json;
    private final CloseStack resources;
    private final PrintWriter err;
    private final ProgressDisplay progress;
    private final CompareReport report;
    private final SortedSet<Integer> sourceSealed = new TreeSet<>();
    private final SortedSet<Integer> targetSealed = new TreeSet<>();

    /** A topic that is compared, and how it is read. */
    record Side(String topic, StormproofConfig config) {
        ComparedLog open(int partition) {
            return new ComparedLog(config.kafkaConsumer(), new TopicPartition(topic, partition), System::nanoTime);
        }
    }

    CompareSession(
            Side source,
            Side target,
            SortedSet<Integer> partitions,
            boolean json,
            CloseStack resources,
            PrintWriter out,
            PrintWriter err) {
        this.source = source;
        this.target = target;
        this.partitions = partitions;
        this.json = json;
        this.resources = resources;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
        this.report = new CompareReport(out);
    }

    /** Compares, prints the report and returns the exit code: whether they are the same, whatever the audits say. */
    int run() {
        try {
            for (int partition : partitions) {
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
        if (json) {
            report.conclusions().forEach(line -> err.println("stormproof: " + line));
        } else {
            report.print();
        }
        return report.same() ? ExitCode.VERIFIED : ExitCode.VIOLATED;
    }

    private void compare(int partition) {
        try (ComparedLog from = source.open(partition);
                ComparedLog to = target.open(partition)) {
            Differences differences = new LogComparison(from, to, offset -> show(partition, from, offset)).run();
            if (from.hasCheckpoints()) {
                sourceSealed.add(partition);
            }
            if (to.hasCheckpoints()) {
                targetSealed.add(partition);
            }
            progress.clear();
            report.add(partition, from, to, differences, json);
        }
    }

    /** Audits the partitions with checkpoints. */
    private void audit(String name, Side side, SortedSet<Integer> sealed) {
        if (sealed.isEmpty()) {
            return;
        }
        AuditSession audit = new AuditSession(
                side.config,
                new AuditSession.Request(
                        side.topic, sealed, null, null, false, false, AuditSession.DEFAULT_THREADS, null),
                resources,
                new PrintWriter(Writer.nullWriter()),
                err);
        audit.run();
        report.addAudit(name, side.topic, audit.conclusion());
    }

    private void show(int partition, ComparedLog from, long offset) {
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
                partition, partitions.headSet(partition).size() + 1, partitions.size(), done, size);
        progress.update(done, size, text, nowMillis);
    }
}
