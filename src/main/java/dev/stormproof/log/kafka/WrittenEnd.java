package dev.stormproof.log.kafka;

import dev.stormproof.log.audit.PartitionReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.utils.Utils;

/** The end of a log with the records of open transactions. */
public final class WrittenEnd {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private WrittenEnd() {}

    /** Waits a moment until a log can be read up to an offset: a transaction ends shortly after its commit. False if it cannot. */
    public static boolean becomesReadable(PartitionReader log, long end) {
        long beginNanos = System.nanoTime();
        while (log.bounds().end() < end) {
            if (System.nanoTime() - beginNanos > PATIENCE.toNanos()) {
                return false;
            }
            Utils.sleep(PATIENCE.toMillis() / 100);
        }
        return true;
    }

    /** The producer whose open transaction begins at an offset, and when it last wrote there; empty if Kafka does not answer. */
    public static String writerAt(Admin admin, TopicPartition partition, long offset) {
        try {
            return KafkaAnswers.get(admin.describeProducers(List.of(partition)).partitionResult(partition))
                    .activeProducers()
                    .stream()
                    .filter(producer -> producer.currentTransactionStartOffset().orElse(-1) == offset)
                    .map(producer -> ", of producer " + producer.producerId() + ", which last wrote at "
                            + Instant.ofEpochMilli(producer.lastTimestamp()))
                    .collect(Collectors.joining());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return "";
        }
    }

    /** The offset after the last record, committed or not. */
    public static long of(Admin admin, TopicPartition partition) {
        return KafkaAnswers.get(admin.listOffsets(
                                Map.of(partition, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .partitionResult(partition))
                .offset();
    }
}
