package dev.stormproof.audit;

import dev.stormproof.audit.KafkaPartitionReader.Scanned;
import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.PartitionVerifier;
import dev.stormproof.verify.Patience;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Verifies a range of one partition again, from the log alone, with the verifier that verifies it live.
 *
 * <pre>
 *   offsets   ──────┬───────────────────────────┬──────────────────┬──────►
 *                 begin                        end              log's end, as of the beginning
 *      ◄── audits ──┤         every record      ├── as far as needed ──►
 *                                                   to decide what lies before the end
 * </pre>
 *
 * <p>An interval belongs to the range that holds its checkpoint, wherever its events lie; a stream's open end belongs
 * to the range that holds its last event. Whether a stream is silent for too long is judged where the log's end was
 * reached, by the times of its records; that a silent stream promised more, though none of its events is open, only by
 * a range that itself ends there. Of each matter the last word alone is handed over.
 *
 * <p>Used once, by one thread.
 */
public final class RangeAudit {
    private static final long STEP_OFFSETS = 1_000;

    /** Records of one second are heard at once. */
    private static final long TICK_MILLIS = 1_000;

    /** One for what was asked while reading, one for what is overdue now, one for what waited for a hole. */
    private static final int SILENCE_ROUNDS = 3;

    private static final int MAX_ATTEMPTS = 10;

    private final KafkaPartitionReader reader;
    private final Range range;
    private final Auditor auditor;
    private final PartitionVerifier verifier;
    private final Consumer<Finding> findings;
    private final LongConsumer progress;
    private final Map<String, Finding> provisional = new LinkedHashMap<>();
    private long readTo;
    private long takenTo;
    private long droppedTo;
    private long events;
    private long checkpoints;
    private boolean heard;
    private long lastMillis;
    private long secondMillis;

    /**
     * What is to be verified.
     *
     * @param begin the first offset of the range; the log holds it
     * @param end the offset after the last one
     * @param logEnd where the log ends, for this audit; not before {@code end}
     * @param nowMillis a time at which it ended nowhere else yet
     */
    public record Range(TopicPartition partition, long begin, long end, long logEnd, long nowMillis) {
        public Range {
            if (begin < 0 || begin > end || end > logEnd) {
                throw new IllegalArgumentException("[" + begin + ", " + end + ") of a log that ends at " + logEnd);
            }
        }
    }

    /**
     * What the range holds.
     *
     * @param events its events
     * @param checkpoints its checkpoints
     * @param open how many streams have events in it that no checkpoint seals, and may still get one in time
     */
    public record Contents(long events, long checkpoints, int open) {}

    /**
     * @param reader reads the range
     * @param log another reader of the same partition, for intervals that must be read again
     * @param findings takes what is found
     * @param progress is told where reading stands, often
     */
    public RangeAudit(
            KafkaPartitionReader reader,
            PartitionReader log,
            Range range,
            Patience patience,
            Consumer<Finding> findings,
            LongConsumer progress) {
        this.reader = reader;
        this.range = range;
        this.auditor = new Auditor(new AsOf(log, range.logEnd()));
        this.verifier = new PartitionVerifier(
                range.partition().topic(), range.partition().partition(), range.begin(), patience);
        this.findings = findings;
        this.progress = progress;
        this.readTo = range.begin();
        this.takenTo = range.begin();
    }

    /** Reads and verifies; throws what Kafka throws when it cannot be read. */
    public Contents run() {
        scanTo(range.end());
        while (!isDecided() && readTo < range.logEnd()) {
            scanTo(Math.min(readTo + STEP_OFFSETS, range.logEnd()));
        }
        if (readTo == range.logEnd()) {
            judgeSilence();
        }
        if (droppedTo > takenTo) {
            // Had a record followed, the verifier would tell it.
            String topic = range.partition().topic();
            note(new ExpiredUnread(topic, range.partition().partition(), takenTo, droppedTo));
        }
        provisional.values().forEach(findings);
        return new Contents(events, checkpoints, verifier.openBefore(range.end()));
    }

    /** True if nothing before the range's end waits for what comes behind it. */
    private boolean isDecided() {
        return verifier.progressOffset() >= Math.min(range.end(), takenTo);
    }

    private void scanTo(long endOffset) {
        int attempts = 0;
        while (readTo < endOffset) {
            long before = readTo;
            try {
                reader.scan(readTo, endOffset, this::take);
                readTo = endOffset;
            } catch (ExpiredRangeException e) {
                // The log was cut just now. What it dropped unread is a hole, and will be told as missed.
                readTo = Math.min(endOffset, Math.max(readTo, reader.beginOffset()));
                droppedTo = readTo;
                attempts = readTo > before ? 0 : attempts + 1;
                giveUpAfter(attempts, e);
            }
        }
    }

    private void take(Scanned scanned) {
        LogRecord record = scanned.record();
        listen(scanned.timestampMillis());
        verifier.take(scanned.link(), record);
        auditAll();
        readTo = record.offset() + 1;
        takenTo = readTo;
        if (record.offset() < range.end()) {
            events += record instanceof Event ? 1 : 0;
            checkpoints += record instanceof CheckpointRecord ? 1 : 0;
        }
        progress.accept(readTo);
    }

    /** Tells the verifier when the records before this one were written. */
    private void listen(long timestampMillis) {
        if (!heard || Math.abs(timestampMillis - secondMillis) >= TICK_MILLIS) {
            if (heard) {
                verifier.tick(lastMillis);
            }
            heard = true;
            secondMillis = timestampMillis;
        }
        lastMillis = timestampMillis;
    }

    private void judgeSilence() {
        if (heard) {
            verifier.tick(lastMillis);
        }
        for (int round = 0; round < SILENCE_ROUNDS; round++) {
            verifier.tick(range.nowMillis());
            auditAll();
        }
    }

    private void auditAll() {
        for (Optional<AuditTask> next = verifier.nextAudit(); next.isPresent(); next = verifier.nextAudit()) {
            audit(next.get());
        }
        verifier.drainFindings().forEach(this::note);
    }

    private void audit(AuditTask task) {
        for (int attempts = 1; ; attempts++) {
            try {
                AuditJob.answer(auditor, task).accept(verifier);
                return;
            } catch (ExpiredRangeException e) {
                // The log was cut just now: the next attempt begins where it begins now.
                giveUpAfter(attempts, e);
            }
        }
    }

    private static void giveUpAfter(int attempts, ExpiredRangeException e) {
        if (attempts >= MAX_ATTEMPTS) {
            throw new TimeoutException("the log is cut faster than it can be read: " + e.getMessage(), e);
        }
    }

    /** Hands over what is said for good, and keeps what may still be said otherwise. */
    private void note(Finding finding) {
        if (finding.anchorOffset() < range.begin() || finding.anchorOffset() >= range.end()) {
            return;
        }
        // Two checkpoints may bear one number.
        String id = finding.id() + "@" + finding.anchorOffset();
        if (finding.revision() == Finding.FINAL_REVISION) {
            provisional.remove(id);
            findings.accept(finding);
        } else {
            provisional.merge(id, finding, (known, news) -> news.revision() > known.revision() ? news : known);
        }
    }

    /** A log that ends where it ended when the audit began, whatever is written meanwhile. */
    private record AsOf(PartitionReader log, long endOffset) implements PartitionReader {
        @Override
        public long beginOffset() {
            return log.beginOffset();
        }

        @Override
        public void read(long beginOffset, long end, Consumer<LogRecord> records) throws ExpiredRangeException {
            log.read(beginOffset, end, records);
        }
    }
}
