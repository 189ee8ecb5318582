package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertText;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.live.LogReaders;
import dev.stormproof.live.RecordParsers;
import dev.stormproof.log.LogReader;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.RangeAudit;
import dev.stormproof.log.RangeAudit.Contents;
import dev.stormproof.log.RangeAudit.Range;
import dev.stormproof.log.WrittenEnd;
import dev.stormproof.submit.Failure;
import dev.stormproof.verify.InactivityTimeouts;
import java.io.PrintWriter;
import java.util.SortedSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A session makes one audit, partition by partition, from the log to the report.
 *
 * <pre>
 *   log ──► PartitionReader ──► RangeAudit ──► finding ──► Tally ──► AuditReport
 *                                                        └────► JSON
 * </pre>
 */
final class AuditSession {
    private final StormproofConfig config;
    private final Request request;
    private final CloseStack resources;
    private final PrintWriter out;
    private final PrintWriter err;
    private final ProgressDisplay progress;
    private final Tally tally = new Tally();
    private final AuditReport report = new AuditReport(tally);
    private int partitionsDone;

    /**
     * What was asked for.
     *
     * @param from the first offset, if there is one partition; null for the log's first
     * @param to the offset after the last one; null for the log's end
     * @param all true if anomalies beyond those that a verdict names are printed as well
     */
    record Request(
            String topic,
            SortedSet<Integer> partitions,
            @Nullable Long from,
            @Nullable Long to,
            boolean json,
            boolean all) {}

    AuditSession(StormproofConfig config, Request request, CloseStack resources, PrintWriter out, PrintWriter err) {
        this.config = config;
        this.request = request;
        this.resources = resources;
        this.out = out;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
    }

    /** Audits, prints the report and returns the exit code. */
    int run() {
        LogRecordParser parser = Failure.configured("--command-config: ", () -> RecordParsers.newParser(config));
        try {
            for (int partition : request.partitions()) {
                audit(new TopicPartition(request.topic(), partition), parser);
                partitionsDone++;
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
            err.println("stormproof: " + report.conclusion());
        } else {
            report.print(out);
        }
        return tally.exitCode();
    }

    /** One line: the verdict on everything, once it has run. */
    String conclusion() {
        return report.conclusion();
    }

    private void audit(TopicPartition partition, LogRecordParser parser) {
        // Two readers: one goes through the range, the other goes back and forth between intervals.
        try (LogReader ahead = LogReaders.newReader(config, parser);
                LogReader back = LogReaders.newReader(config, parser)) {
            PartitionReader reader = ahead.of(partition);
            PartitionReader log = back.of(partition);
            Range range = rangeOf(partition, reader);
            InactivityTimeouts timeouts = new InactivityTimeouts(
                    config.silenceGraceMillis(),
                    config.silenceWithoutPromiseMillis(),
                    config.silenceMostPromisedMillis());
            Contents contents = new RangeAudit(
                            reader,
                            log,
                            range,
                            timeouts,
                            this::take,
                            request.all() ? this::takeFurther : page -> {},
                            offset -> show(range, offset))
                    .run();
            report.add(range, contents);
        }
    }

    private Range rangeOf(TopicPartition partition, PartitionReader reader) {
        long nowMillis = System.currentTimeMillis();
        long written = writtenEnd(partition);
        long logEnd = reader.endOffset();
        long logBegin = Math.min(reader.beginOffset(), logEnd);
        long begin = request.from() == null ? logBegin : request.from();
        long end = request.to() == null ? logEnd : request.to();
        if (begin < logBegin || begin > logEnd) {
            throw outOfRange("--from " + begin, partition, logBegin, logEnd);
        }
        if (end < begin || end > logEnd) {
            throw outOfRange("--to " + end, partition, begin, logEnd);
        }
        if (written > logEnd) {
            progress.clear();
            err.println("stormproof: " + partition + " is read up to " + logEnd + " of " + written
                    + ": a producer's transaction is open there; whether a stream is unsealed is left open");
        }
        return new Range(partition, begin, end, logEnd, nowMillis, written > logEnd);
    }

    private long writtenEnd(TopicPartition partition) {
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            return WrittenEnd.of(admin, partition);
        }
    }

    private static Failure outOfRange(String option, TopicPartition partition, long least, long most) {
        return Failure.usage(option + ": for " + partition + " it can be from " + least + " to " + most
                + ", which is what the log holds; without it, that is where the range ends");
    }

    private void take(Finding finding) {
        if (finding instanceof Unattributed record
                && record.kind() == UnattributedRecord.Kind.UNSIGNED
                && !config.alertsOnUnsignedEvents()) {
            return;
        }
        tally.add(new Alert("", 0, finding));
        if (request.json()) {
            progress.clear();
            out.println(new String(AlertJson.writeData(finding), UTF_8));
        }
    }

    /** Prints at once, so that nothing is kept. */
    private void takeFurther(Violated page) {
        progress.clear();
        report.addFurther(page.anomalies().size());
        if (request.json()) {
            out.println(new String(AlertJson.writeData(page), UTF_8));
        } else {
            page.anomalies().forEach(anomaly -> out.println("  " + AlertText.line(anomaly)));
        }
    }

    private void show(Range range, long offset) {
        if (resources.isEnding()) {
            throw Failure.own("interrupted at " + range.partition() + "@" + offset);
        }
        long nowMillis = System.nanoTime() / 1_000_000;
        if (!progress.isDue(nowMillis)) {
            return;
        }
        long size = range.end() - range.begin();
        long done = Math.min(offset, range.end()) - range.begin();
        String behind = offset > range.end() ? ", deciding what lies before its end" : "";
        String text = ReportText.text(
                "partition %d (%,d of %,d): %,d/%,d offsets%s, %,d violated",
                range.partition().partition(),
                partitionsDone + 1,
                request.partitions().size(),
                done,
                size,
                behind,
                tally.total().violated());
        progress.update(done, size, text, nowMillis);
    }
}
