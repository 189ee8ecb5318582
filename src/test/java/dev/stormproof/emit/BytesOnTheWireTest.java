package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.task.live.testing.PaperLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What signing and sealing add to the records of an uncompressed batch, checkpoints included. */
class BytesOnTheWireTest {
    private static final int EVENTS = 20_000;

    private static long sizeBytes(ProducerRecord<byte[], byte[]> record, Header[] headers) {
        return DefaultRecord.sizeInBytes(1, 1, buffer(record.key()), buffer(record.value()), headers);
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    @ParameterizedTest
    @CsvSource({"root, 36", "leaves, 52"})
    void againstAccidentsAnEventTakesSoManyBytesMore(String detail, double most) {
        List<ProducerRecord<byte[], byte[]>> records =
                PaperLog.of("orders", 1, EVENTS, 1_000, Map.of(EmitterConfig.DETAIL, detail));
        long added = 0;
        for (ProducerRecord<byte[], byte[]> record : records) {
            added += sizeBytes(record, record.headers().toArray());
            if (record.headers().lastHeader(EventHeader.NAME) != null) {
                added -= sizeBytes(record, new Header[0]);
            }
        }

        double anEvent = (double) added / EVENTS;
        assertThat(anEvent).isLessThan(most);
    }
}
