package dev.stormproof.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/**
 * Batches of records, each drawn with fields at their extremes.
 *
 * <pre>
 *   timestamp    none (-1), 0, 1970, now, hours and centuries off, the greatest; a whole batch before 1970
 *   key, value   null, empty, small, up to the limits of topics, far beyond once they are unpacked
 *   headers      none, one, a thousand; ours and other names; values drawn, taken from honest records, or these with bytes changed
 *   batch        1 to 20 records, every compression, bits of the attributes that nobody uses
 * </pre>
 *
 * <p>For one thread.
 */
final class ExtremeRecords {
    private static final int MOST_SAMPLES = 500;
    private static final int MOST_RECORDS = 20;

    /** Beyond what a topic with Kafka's default limit takes, once it is unpacked. */
    private static final int UNPACKED_BYTES = 5 << 20;

    /** Around Kafka's default of {@code max.message.bytes}, 1,048,588. */
    private static final int[] NEAR_LIMIT = {1_000_000, 1_048_100, 1_048_250, 1_048_380, 1_048_480, 1_048_576};

    private static final List<String> NAMES = List.of(
            EventHeader.NAME,
            Format2Checkpoint.HEADER,
            TransformedHeader.NAME,
            TransformedHeader.DIVERTED,
            "signature",
            "",
            "trace",
            "n".repeat(30_000),
            "\u202e\u0007\ud83d\ude00");

    private static final int BASE_TIMESTAMP_AT = 27;
    private static final int ATTRIBUTES_AT = 21;
    private static final int CHECKSUM_AT = 17;

    private final SplittableRandom random;
    private final List<byte[]> samples = new ArrayList<>();

    ExtremeRecords(SplittableRandom random) {
        this.random = random;
    }

    /** Keeps the headers of an honest record, to forge others with. */
    void learn(ConsumerRecord<byte[], byte[]> honest) {
        for (Header header : honest.headers()) {
            if (samples.size() < MOST_SAMPLES) {
                samples.add(header.value());
            } else {
                samples.set(random.nextInt(MOST_SAMPLES), header.value());
            }
        }
    }

    /** A batch, drawn. */
    MemoryRecords next() {
        int shape = random.nextInt(1_000);
        if (shape < 3) {
            return batch(compressed(), List.of(record(new byte[UNPACKED_BYTES], headers())));
        } else if (shape < 12) {
            byte[] value = new byte[NEAR_LIMIT[random.nextInt(NEAR_LIMIT.length)]];
            Compression compression = random.nextBoolean() ? Compression.NONE : compressed();
            return batch(compression, List.of(record(value, random.nextBoolean() ? new Header[0] : headers())));
        }
        List<SimpleRecord> records = new ArrayList<>();
        int count = 1 + random.nextInt(MOST_RECORDS);
        for (int i = 0; i < count; i++) {
            records.add(record(bytes(shape < 30 ? 50_000 : 200), headers()));
        }
        return batch(random.nextBoolean() ? Compression.NONE : compressed(), records);
    }

    /** A batch of one record that is some 70 kB as it lies in the log, and so many bytes when it is unpacked. */
    MemoryRecords bomb(int unpackedBytes) {
        return batch(Compression.gzip().build(), List.of(record(new byte[unpackedBytes], new Header[0])));
    }

    private SimpleRecord record(byte @Nullable [] value, Header[] headers) {
        return new SimpleRecord(timestamp(), bytes(40), value, headers);
    }

    private long timestamp() {
        long now = System.currentTimeMillis();
        return switch (random.nextInt(24)) {
            case 0 -> -1;
            case 1 -> 0;
            case 2 -> now + 3_000_000;
            case 3 -> now + 4_000_000;
            case 4 -> now + 3_200_000_000_000L;
            case 5 -> Long.MAX_VALUE / 2;
            case 6 -> Long.MAX_VALUE;
            case 7 -> now - 3_600_000;
            case 8 -> 1;
            default -> now;
        };
    }

    private byte @Nullable [] bytes(int most) {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return null;
        }
        byte[] drawn = new byte[kind == 1 ? 0 : random.nextInt(most)];
        random.nextBytes(drawn);
        return drawn;
    }

    private Header[] headers() {
        int kind = random.nextInt(100);
        int count = kind < 40 ? 0 : kind < 99 ? 1 + random.nextInt(3) : 1_000;
        Header[] headers = new Header[count];
        for (int i = 0; i < count; i++) {
            String name = kind == 99 ? "h" + i : NAMES.get(random.nextInt(NAMES.size()));
            headers[i] = new RecordHeader(name, headerValue());
        }
        return headers;
    }

    private byte @Nullable [] headerValue() {
        if (samples.isEmpty() || random.nextInt(3) == 0) {
            return random.nextBoolean() ? bytes(100) : "plain".getBytes(UTF_8);
        }
        byte[] sample = samples.get(random.nextInt(samples.size())).clone();
        switch (random.nextInt(4)) {
            case 0 -> {
                return sample;
            }
            case 1 -> {
                return Arrays.copyOf(sample, random.nextInt(sample.length + 1));
            }
            case 2 -> {
                return Arrays.copyOf(sample, sample.length + 1 + random.nextInt(40));
            }
            default -> {
                if (sample.length > 0) {
                    sample[random.nextInt(sample.length)] ^= (byte) (1 << random.nextInt(8));
                }
                return sample;
            }
        }
    }

    private Compression compressed() {
        CompressionType[] types = CompressionType.values();
        return Compression.of(types[1 + random.nextInt(types.length - 1)]).build();
    }

    private MemoryRecords batch(Compression compression, List<SimpleRecord> records) {
        MemoryRecords batch = MemoryRecords.withRecords(compression, records.toArray(SimpleRecord[]::new));
        switch (random.nextInt(60)) {
            case 0 -> change(batch.buffer(), BASE_TIMESTAMP_AT, -2 - random.nextInt(1_000_000));
            case 1 -> change(batch.buffer(), BASE_TIMESTAMP_AT, Long.MIN_VALUE);
            case 2 -> {
                ByteBuffer bytes = batch.buffer();
                int attributes = bytes.getShort(ATTRIBUTES_AT) | 1 << (7 + random.nextInt(8));
                bytes.putShort(ATTRIBUTES_AT, (short) attributes);
                seal(bytes);
            }
            default -> {}
        }
        return batch;
    }

    private static void change(ByteBuffer batch, int at, long value) {
        batch.putLong(at, value);
        seal(batch);
    }

    private static void seal(ByteBuffer batch) {
        CRC32C checksum = new CRC32C();
        checksum.update(batch.duplicate().position(ATTRIBUTES_AT));
        batch.putInt(CHECKSUM_AT, (int) checksum.getValue());
    }
}
