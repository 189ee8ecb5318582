package dev.stormproof.log.kafka;

import dev.stormproof.log.audit.PartitionReader;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
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

    /** The offset after the last record, committed or not. */
    public static long of(Admin admin, TopicPartition partition) {
        return KafkaAnswers.get(admin.listOffsets(
                                Map.of(partition, OffsetSpec.latest()),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .partitionResult(partition))
                .offset();
    }
}
