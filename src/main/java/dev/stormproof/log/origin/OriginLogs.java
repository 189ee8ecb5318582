package dev.stormproof.log.origin;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of the topics' origins, which may be on another cluster. Their failures end no audit.
 *
 * <pre>
 *   violated interval ──► OriginSearch ──► OriginEvidence
 *                         └ no answer, or an error ──► unread, and no further question
 * </pre>
 *
 * <p>For one thread.
 */
public final class OriginLogs implements AutoCloseable {
    /** Reads no origin's log. */
    public static final OriginLogs NONE = new OriginLogs(Map.of(), () -> {
        throw new IllegalStateException("there is no origin to read");
    });

    private static final Logger LOG = LoggerFactory.getLogger(OriginLogs.class);

    private final Map<String, String> originByTopic;
    private final Supplier<LogReader> readers;
    private @Nullable LogReader reader;
    private boolean failed;

    /**
     * @param originByTopic the origins whose logs are read, by the topics that hold their streams
     * @param readers opens a reader of the origins' cluster, when it is first needed
     */
    public OriginLogs(Map<String, String> originByTopic, Supplier<LogReader> readers) {
        this.originByTopic = Map.copyOf(originByTopic);
        this.readers = readers;
    }

    public RangeCase.Origin of(TopicPartition partition) {
        String origin = originByTopic.get(partition.topic());
        return origin == null ? RangeCase.Origin.NONE : new Asking(new TopicPartition(origin, partition.partition()));
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
    }

    private LogReader reader() {
        LogReader open = reader;
        if (open == null) {
            open = readers.get();
            reader = open;
        }
        return open;
    }

    /** The queries of one partition. Those near each other are answered by one scan. */
    private final class Asking implements RangeCase.Origin {
        private final TopicPartition partition;
        private @Nullable OriginSearch search;

        Asking(TopicPartition partition) {
            this.partition = partition;
        }

        @Override
        public List<Anomaly> blamed(Violated violated, CheckpointRecord target, Evidence here) {
            boolean open = violated.anomalies().stream().anyMatch(anomaly -> anomaly.kind() != Anomaly.Kind.DIVERTED);
            return open
                    ? new Blame(target, here, answer(violated, here)).of(violated.anomalies())
                    : RangeCase.Origin.NONE.blamed(violated, target, here);
        }

        private OriginEvidence answer(Violated violated, Evidence here) {
            if (failed) {
                return OriginEvidence.UNREAD;
            }
            try {
                return search().of(violated, here);
            } catch (ExpiredRangeException e) {
                if (search != null) {
                    search.forget();
                }
                return OriginEvidence.UNREAD;
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                failed = true;
                LOG.warn(
                        "{}, an origin, could not be read: on which hop violations came about is unknown",
                        partition,
                        e);
                return OriginEvidence.UNREAD;
            }
        }

        private OriginSearch search() {
            OriginSearch open = search;
            if (open == null) {
                open = new OriginSearch(reader().of(partition), partition);
                search = open;
            }
            return open;
        }
    }
}
