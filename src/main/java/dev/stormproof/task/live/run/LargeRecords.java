package dev.stormproof.task.live.run;

import dev.stormproof.log.kafka.RecordLimit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records that nobody delivers, because the readers of the log pass over them: behind one, the verifier finds a gap, and has the
 * log read.
 */
public final class LargeRecords {
    private LargeRecords() {}

    /** True of such a record. */
    public static boolean holds(ConsumerRecord<byte[], byte[]> record) {
        return RecordLimit.isExceededBy(record);
    }
}
