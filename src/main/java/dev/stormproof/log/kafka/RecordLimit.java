package dev.stormproof.log.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;

/**
 * The largest record that is read. A batch of a few kilobytes may unpack to gigabytes, and neither broker nor client bounds that.
 *
 * <p>A record's size is that of its content, and of the fields around it as large as they can be: so the reader and the spout
 * count the same, whether they see the bytes or only the content, and never less than the record takes in its batch.
 */
public final class RecordLimit {
    /** The largest size, unpacked; Kafka's default for a whole batch is 1 MiB, compressed. */
    public static final int MAX_BYTES = 64 << 20;

    /** How many times its size a batch may unpack to, beyond one such record. What is left of it then is not read. */
    static final int MAX_UNPACKING = 256;

    static final String WHY = "a record of more than " + MAX_BYTES + " bytes, unpacked";

    static final String WHY_BEYOND = "records of a batch that unpacks to more than " + MAX_BYTES + " bytes and "
            + MAX_UNPACKING + " times its size";

    /** The largest size of a record's fields without content and headers: one byte, ten bytes, and four times five. */
    static final int FIELDS_BYTES = 31;

    /** The two sizes in a header. */
    static final int HEADER_FIELDS_BYTES = 10;

    /** A record of fewer bytes is not too large, however its fields are counted: each header takes two bytes at least. */
    static final int SMALL_BYTES = MAX_BYTES / 8;

    private RecordLimit() {}

    /** True if a record is too large to be read. */
    public static boolean isExceededBy(ConsumerRecord<byte[], byte[]> record) {
        return countedBytes(record) > MAX_BYTES;
    }

    private static long countedBytes(ConsumerRecord<byte[], byte[]> record) {
        long bytes = (long) FIELDS_BYTES
                + Math.max(0, record.serializedKeySize())
                + Math.max(0, record.serializedValueSize());
        for (Header header : record.headers()) {
            byte[] value = header.value();
            bytes += HEADER_FIELDS_BYTES + Utils.utf8Length(header.key()) + (value == null ? 0 : value.length);
        }
        return bytes;
    }
}
