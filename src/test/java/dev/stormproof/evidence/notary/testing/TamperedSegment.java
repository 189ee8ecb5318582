package dev.stormproof.evidence.notary.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** Rewrites the log of a partition that no broker has open: records are altered or removed, and each batch gets a checksum that is right. */
public final class TamperedSegment {
    private final Path broker;
    private final Path log;

    /** @param broker the directory of a broker's logs */
    public TamperedSegment(Path broker, String partition) {
        this.broker = broker;
        this.log = broker.resolve(partition);
    }

    /** Has the records at some offsets say something else, and takes out others. */
    public void rewrite(Map<Long, String> altered, Set<Long> removed) throws IOException {
        List<Path> segments;
        try (Stream<Path> files = Files.list(log)) {
            segments = files.filter(file -> file.toString().endsWith(".log")).toList();
        }
        for (Path segment : segments) {
            byte[] bytes = Files.readAllBytes(segment);
            ByteBuffer out = ByteBuffer.allocate(bytes.length + 1 + altered.size() * 1_000);
            for (MutableRecordBatch batch :
                    MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches()) {
                rewrite(batch, altered, removed, out);
            }
            Files.write(segment, bytes(out.flip()));
        }
        forget();
    }

    private static void rewrite(
            MutableRecordBatch batch, Map<Long, String> altered, Set<Long> removed, ByteBuffer out) {
        boolean touched = false;
        for (Record record : batch) {
            touched |= altered.containsKey(record.offset()) || removed.contains(record.offset());
        }
        if (!touched) {
            batch.writeTo(out);
            return;
        }
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(batch.sizeInBytes() * 20 + 10_000),
                batch.magic(),
                Compression.of(batch.compressionType()).build(),
                batch.timestampType(),
                batch.baseOffset(),
                batch.maxTimestamp(),
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence(),
                batch.isTransactional(),
                batch.partitionLeaderEpoch());
        boolean empty = true;
        for (Record record : batch) {
            if (!removed.contains(record.offset())) {
                String text = altered.get(record.offset());
                ByteBuffer value = text == null ? record.value() : ByteBuffer.wrap(text.getBytes(UTF_8));
                builder.appendWithOffset(record.offset(), record.timestamp(), record.key(), value, record.headers());
                empty = false;
            }
        }
        if (!empty) {
            builder.overrideLastOffset(batch.lastOffset());
            out.put(builder.build().buffer());
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Deletes what the broker noted of the log, so that it reads it again. */
    private void forget() throws IOException {
        List<Path> notes = new ArrayList<>();
        try (Stream<Path> files = Files.list(log)) {
            files.filter(file -> file.toString().matches(".*\\.(index|timeindex|snapshot)"))
                    .forEach(notes::add);
        }
        notes.add(broker.resolve(".kafka_cleanshutdown"));
        notes.add(broker.resolve("recovery-point-offset-checkpoint"));
        for (Path note : notes) {
            Files.deleteIfExists(note);
        }
    }
}
