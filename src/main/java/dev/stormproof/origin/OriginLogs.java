package dev.stormproof.origin;

import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.OriginEvidence;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.leader.EpochEnd;
import dev.stormproof.log.LogReader;
import dev.stormproof.log.OriginAudit;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.SearchedLog;
import dev.stormproof.verify.AuditTask.OfRecords;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of the origins of topics, which may lie on another cluster, and must not hold up verification.
 *
 * <pre>
 *   violated interval ──► read for at most the timeout ──► OriginEvidence
 *                         └ no answer in time, or an error ──► unread, and for {@value #PAUSE_MILLIS} ms no further question
 * </pre>
 *
 * <p>A single request may begin just before the timeout and take as long once more. For one thread.
 */
public final class OriginLogs implements AutoCloseable {
    /** For how long nothing is asked after a failure. */
    static final long PAUSE_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(OriginLogs.class);

    private final Map<String, String> originByTopic;
    private final Supplier<LogReader> readers;
    private final long timeoutNanos;
    private final LongSupplier nanoTime;
    private @Nullable LogReader reader;
    private @Nullable Long failedNanos;
    private long deadlineNanos;

    /**
     * @param originByTopic the origins whose logs are read, by the topics that hold their streams
     * @param readers opens a reader of the origins' cluster, when it is first needed
     * @param timeoutMillis for how long the log may be read for one interval
     */
    public OriginLogs(Map<String, String> originByTopic, Supplier<LogReader> readers, long timeoutMillis) {
        this(originByTopic, readers, timeoutMillis, System::nanoTime);
    }

    OriginLogs(
            Map<String, String> originByTopic, Supplier<LogReader> readers, long timeoutMillis, LongSupplier nanoTime) {
        this.originByTopic = Map.copyOf(originByTopic);
        this.readers = readers;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.nanoTime = nanoTime;
    }

    /** The audit of the origin of a partition's topic, for one job. */
    public OriginAudit of(TopicPartition partition) {
        String origin = originByTopic.get(partition.topic());
        return origin == null ? OriginAudit.NONE : new Asking(new TopicPartition(origin, partition.partition()));
    }

    /** A reader of logs that also says what those of their origins show; closes both. */
    public LogReader beside(LogReader log) {
        return new LogReader() {
            @Override
            public PartitionReader of(TopicPartition partition) {
                return log.of(partition);
            }

            @Override
            public OriginAudit originOf(TopicPartition partition) {
                return OriginLogs.this.of(partition);
            }

            @Override
            public void close() {
                OriginLogs.this.close();
                log.close();
            }
        };
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
    }

    private boolean isPausing() {
        return failedNanos != null && nanoTime.getAsLong() - failedNanos < TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    }

    private LogReader reader() {
        LogReader open = reader;
        if (open == null) {
            open = readers.get();
            reader = open;
        }
        return open;
    }

    private void demandTime() {
        if (nanoTime.getAsLong() - deadlineNanos > 0) {
            throw new TimeoutException("not read within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
        }
    }

    /** The questions of one job to one partition, which are answered from one scan as far as they lie near each other. */
    private final class Asking implements OriginAudit {
        private final TopicPartition partition;
        private @Nullable OriginSearch search;

        Asking(TopicPartition partition) {
            this.partition = partition;
        }

        @Override
        public Evidence added(OfRecords task, Evidence evidence) {
            return task.judge(evidence)
                    .filter(Violated.class::isInstance)
                    .map(Violated.class::cast)
                    .filter(Asking::isOpen)
                    .map(violated -> evidence.with(answer(task, evidence, violated)))
                    .orElse(evidence);
        }

        /** A diverted event says itself where that was. */
        private static boolean isOpen(Violated violated) {
            return violated.anomalies().stream().anyMatch(anomaly -> anomaly.kind() != Anomaly.Kind.DIVERTED);
        }

        private OriginEvidence answer(OfRecords task, Evidence copy, Violated violated) {
            if (isPausing()) {
                return OriginEvidence.UNREAD;
            }
            deadlineNanos = nanoTime.getAsLong() + timeoutNanos;
            try {
                return search().of(task, copy, violated);
            } catch (PartitionReader.ExpiredRangeException e) {
                if (search != null) {
                    search.forget();
                }
                return OriginEvidence.UNREAD;
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                failedNanos = nanoTime.getAsLong();
                search = null;
                LOG.warn(
                        "{}, an origin, could not be read: where violations happened is unknown for the next {} ms",
                        partition,
                        PAUSE_MILLIS,
                        e);
                return OriginEvidence.UNREAD;
            }
        }

        private OriginSearch search() {
            OriginSearch open = search;
            if (open == null) {
                open = new OriginSearch(new SearchedLog().on(new InTime(reader().of(partition))), partition.topic());
                search = open;
            }
            return open;
        }
    }

    /** A reader that gives up when the time is over. */
    private final class InTime implements PartitionReader {
        private final PartitionReader log;

        InTime(PartitionReader log) {
            this.log = log;
        }

        @Override
        public Bounds bounds() {
            demandTime();
            return log.bounds();
        }

        @Override
        public long offsetForTime(long millis) {
            demandTime();
            return log.offsetForTime(millis);
        }

        @Override
        public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
            demandTime();
            return log.scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> {
                demandTime();
                return taker.take(record, leaderEpoch, timestampMillis, content);
            });
        }

        @Override
        public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
            demandTime();
            return log.endOfEpoch(offset, leaderEpoch);
        }
    }
}
