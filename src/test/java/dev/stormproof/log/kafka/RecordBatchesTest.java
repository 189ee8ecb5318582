package dev.stormproof.log.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.kafka.FetchedRecords.Aborted;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Record batches are read as Kafka reads them, and refused where they are no such thing. */
class RecordBatchesTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
    private static final int LOGS = 300;
    private static final int MANY_LOGS = 10_000;
    private static final int CRC_AT = 17;
    private static final int ATTRIBUTES_AT = 21;
    private static final int COUNT_AT = 57;

    private final RecordBatches batches = new RecordBatches(PARTITION, 1 << 20);
    private long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    /** A log of batches, as a broker hands it to a reader of what is committed, and the records that count. */
    private static final class DrawnLog {
        private final SplittableRandom random;
        private final ByteBufferOutputStream out = new ByteBufferOutputStream(1 << 12);
        private final List<String> expected = new ArrayList<>();
        private final List<Aborted> aborted = new ArrayList<>();
        /** Transactions that are open, by producer: true if they will be aborted. */
        private final Map<Long, Boolean> open = new HashMap<>();

        private final boolean old;
        private long next;
        private long end;
        private int epoch;

        DrawnLog(long seed) {
            random = new SplittableRandom(seed);
            next = random.nextInt(3) * 1_000L;
            old = random.nextInt(4) == 0;
            for (int i = 1 + random.nextInt(20); i > 0; i--) {
                epoch += random.nextInt(4) == 0 ? 1 : 0;
                append();
                next += random.nextInt(5) == 0 ? random.nextInt(20) : 0;
            }
            List.copyOf(open.keySet()).forEach(this::end);
        }

        FetchedRecords fetched() {
            ByteBuffer bytes = out.buffer().duplicate().flip();
            // Brokers may cut the last batch anywhere, and an array may hold something before the first.
            int size = bytes.remaining();
            ByteBuffer cut = ByteBuffer.allocate(7 + size + 40);
            cut.position(7).put(bytes.duplicate()).putLong(next).putInt(1 << 20);
            return new FetchedRecords(cut.position(7).slice().limit(size + random.nextInt(40)), aborted);
        }

        private void append() {
            long producer = random.nextBoolean() && !old ? 1 + random.nextInt(2) : -1;
            if (producer >= 0 && open.containsKey(producer) && random.nextBoolean()) {
                end(producer);
                return;
            }
            boolean transactional = producer > 0 && (open.containsKey(producer) || random.nextBoolean());
            if (transactional && !open.containsKey(producer)) {
                boolean abort = random.nextBoolean();
                open.put(producer, abort);
                if (abort) {
                    aborted.add(new Aborted(producer, next));
                }
            }
            boolean counts = !transactional || !open.getOrDefault(producer, false);
            int from = out.position();
            byte format = (byte) (old ? random.nextInt(3) : 2);
            CompressionType[] types = format == 2
                    ? CompressionType.values()
                    : new CompressionType[] {CompressionType.NONE, CompressionType.GZIP, CompressionType.SNAPPY};
            TimestampType time = format > 0 && random.nextInt(3) == 0
                    ? TimestampType.LOG_APPEND_TIME
                    : format == 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME;
            MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                    out,
                    format,
                    Compression.of(types[random.nextInt(types.length)]).build(),
                    time,
                    next,
                    time == TimestampType.LOG_APPEND_TIME ? 5_000 : -1,
                    producer,
                    (short) (producer < 0 ? -1 : 0),
                    producer < 0 ? -1 : 0,
                    transactional,
                    false,
                    epoch,
                    1 << 20);
            for (int i = 1 + random.nextInt(random.nextInt(5) == 0 ? 200 : 6); i > 0; i--) {
                builder.appendWithOffset(
                        next,
                        format == 0 ? -1 : random.nextLong(1L << 42),
                        bytes(40),
                        bytes(random.nextInt(10) == 0 ? 90_000 : 200),
                        format == 2 ? headers() : Record.EMPTY_HEADERS);
                end = next + 1;
                next += 1 + (format == 2 && random.nextInt(8) == 0 ? random.nextInt(5) : 0);
            }
            builder.close();
            if (counts) {
                expect(from);
            }
        }

        private void expect(int from) {
            ByteBuffer written = out.buffer().duplicate().flip().position(from);
            for (MutableRecordBatch batch :
                    MemoryRecords.readableRecords(written.slice()).batches()) {
                int leaderEpoch = batch.partitionLeaderEpoch();
                batch.forEach(record -> expected.add(text(record, leaderEpoch)));
            }
        }

        private void end(long producer) {
            boolean abort = Objects.requireNonNull(open.remove(producer));
            EndTransactionMarker marker =
                    new EndTransactionMarker(abort ? ControlRecordType.ABORT : ControlRecordType.COMMIT, 1);
            ByteBuffer control = MemoryRecords.withEndTransactionMarker(next, 1, epoch, producer, (short) 0, marker)
                    .buffer();
            out.write(control);
            next++;
            end = next;
        }

        private byte @Nullable [] bytes(int most) {
            if (random.nextInt(6) == 0) {
                return null;
            }
            byte[] bytes = new byte[random.nextInt(most + 1)];
            if (random.nextBoolean()) {
                random.nextBytes(bytes);
            }
            return bytes;
        }

        private Header[] headers() {
            Header[] headers = new Header[random.nextInt(4)];
            for (int i = 0; i < headers.length; i++) {
                headers[i] = new RecordHeader("näme-" + random.nextInt(3), bytes(70));
            }
            return headers;
        }
    }

    private static String text(Record record, int leaderEpoch) {
        StringBuilder headers = new StringBuilder();
        for (Header header : record.headers()) {
            headers.append(header.key())
                    .append('=')
                    .append(text(header.value()))
                    .append(' ');
        }
        return record.offset() + "/" + leaderEpoch + "/" + record.timestamp() + " " + text(bytes(record.key())) + " "
                + text(bytes(record.value())) + " " + headers;
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : bytesOf(buffer);
    }

    private static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static String text(RecordSlice record) {
        RecordContent content = record.content();
        StringBuilder headers = new StringBuilder();
        content.headers()
                .forEach((name, value) ->
                        headers.append(name).append('=').append(text(value)).append(' '));
        return record.offset() + "/" + record.leaderEpoch() + "/" + content.timestampMillis() + " "
                + text(content.key()) + " " + text(content.value()) + " " + headers;
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "null" : "'" + new String(bytes, StandardCharsets.ISO_8859_1) + "'";
    }

    private List<String> read(FetchedRecords fetched, long begin, long end) {
        List<String> read = new ArrayList<>();
        batches.read(fetched, begin, end, record -> {
            assertThat(record.last("näme-1"))
                    .isEqualTo(record.content().headers().last("näme-1"));
            return read.add(text(record));
        });
        return read;
    }

    /** Reads range after range, each of which may end in the middle of a batch, or when the taker has enough. */
    private List<String> readInSteps(FetchedRecords fetched, long logEnd, SplittableRandom random) {
        List<String> read = new ArrayList<>();
        long[] position = {0};
        while (position[0] < logEnd) {
            long end = position[0] + 1 + random.nextLong(30);
            long begin = position[0];
            RecordBatches.Taker taker = record -> {
                assertThat(record.offset()).isBetween(begin, end - 1);
                if (record.offset() > begin && random.nextInt(8) == 0) {
                    position[0] = record.offset();
                    return false;
                }
                return read.add(text(record));
            };
            boolean whole =
                    batches.canGoOn(begin) ? batches.goOn(begin, end, taker) : batches.read(fetched, begin, end, taker);
            position[0] = whole ? end : position[0];
        }
        return read;
    }

    private void compare(int logs) {
        for (int i = 0; i < logs; i++, seed++) {
            DrawnLog log = new DrawnLog(seed);
            FetchedRecords fetched = log.fetched();
            assertThat(read(fetched, 0, Long.MAX_VALUE)).as("seed %d", seed).isEqualTo(log.expected);
            long begin = log.random.nextLong(log.next);
            long end = begin + log.random.nextLong(log.next);
            List<String> part = log.expected.stream()
                    .filter(text -> {
                        long offset = Long.parseLong(text.substring(0, text.indexOf('/')));
                        return begin <= offset && offset < end;
                    })
                    .toList();
            assertThat(read(fetched, begin, end)).as("seed %d, part", seed).isEqualTo(part);
            assertThat(readInSteps(fetched, log.end, log.random))
                    .as("seed %d, in steps", seed)
                    .isEqualTo(log.expected);
            assertThat(RecordBatches.end(fetched, 0).offset())
                    .as("seed %d, end", seed)
                    .isEqualTo(log.end);
        }
    }

    @Test
    void theyAreReadAsKafkaReadsThem() {
        compare(LOGS);
    }

    @Tag("full")
    @Test
    void manyMoreAre() {
        compare(MANY_LOGS);
    }

    private static ByteBuffer batch(CompressionType type, byte[]... values) {
        ByteBufferOutputStream out = new ByteBufferOutputStream(1 << 12);
        try (MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                out,
                (byte) 2,
                Compression.of(type).build(),
                TimestampType.CREATE_TIME,
                500,
                -1,
                -1,
                (short) -1,
                -1,
                false,
                false,
                1,
                1 << 30)) {
            for (byte[] value : values) {
                builder.append(1L, null, value);
            }
        }
        return out.buffer().flip();
    }

    private static ByteBuffer sealed(ByteBuffer batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), batch.arrayOffset() + ATTRIBUTES_AT, batch.limit() - ATTRIBUTES_AT);
        return batch.putInt(CRC_AT, (int) crc.getValue());
    }

    private List<String> read(ByteBuffer bytes) {
        return read(new FetchedRecords(bytes, List.of()), 0, Long.MAX_VALUE);
    }

    @Test
    void aBatchWithAnyOtherByteIsRefusedByItsChecksum() {
        byte[] whole = bytesOf(batch(CompressionType.NONE, "one".getBytes(UTF_8), "two".getBytes(UTF_8)));
        for (int at = ATTRIBUTES_AT; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            assertThatThrownBy(() -> read(ByteBuffer.wrap(damaged)))
                    .as("byte %d", at)
                    .isInstanceOf(MalformedBatchException.class)
                    .hasMessageContaining("orders-3")
                    .hasMessageContaining("batch at offset 500")
                    .hasMessageContaining("CRC-32C");
        }
    }

    /** With the checksum made to fit, so that the fields themselves are read. */
    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aBatchWithAnyOtherBytesIsReadOrRefused(CompressionType type) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] values = new byte[300];
        random.nextBytes(values);
        byte[] whole = bytesOf(batch(type, values, new byte[4_000], "two".getBytes(UTF_8)));
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = whole.clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                damaged[ATTRIBUTES_AT + random.nextInt(whole.length - ATTRIBUTES_AT)] = (byte) random.nextInt(256);
            }
            try {
                var unused = read(sealed(ByteBuffer.wrap(damaged)));
            } catch (MalformedBatchException e) {
                refused++;
            }
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"SNAPPY", "ZSTD"})
    @Timeout(60)
    void whereALibraryCannotBeLoadedTheBatchIsNotToBlame(CompressionType type, @TempDir Path directory)
            throws IOException, InterruptedException {
        Path batch = Files.write(directory.resolve("batch"), bytesOf(batch(type, "one".getBytes(UTF_8))));
        String none = batch.resolve("in a file").toString();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-DZstdTempFolder=" + none,
                        "-Dorg.xerial.snappy.tempdir=" + none,
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutLibraries.class.getName(),
                        batch.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        assertThat(said)
                .startsWith("java.lang.IllegalStateException: orders-3, batch at offset 500: ")
                .contains("could not be loaded", "java.io.tmpdir, " + System.getProperty("java.io.tmpdir"), "noexec");
    }

    /** A process that reads a batch, and prints what was thrown. */
    static final class WithoutLibraries {
        private WithoutLibraries() {}

        public static void main(String[] arguments) throws IOException {
            try {
                var unused = new RecordBatchesTest().read(ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[0]))));
            } catch (Throwable thrown) {
                System.out.println(thrown);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, Integer.MAX_VALUE})
    void aBatchThatStatesAnotherNumberOfRecordsIsRefused(int count) {
        for (CompressionType type : CompressionType.values()) {
            ByteBuffer bytes = batch(type, "one".getBytes(UTF_8), "two".getBytes(UTF_8));
            assertThatThrownBy(() -> read(sealed(bytes.putInt(COUNT_AT, count))))
                    .as(type.name)
                    .isInstanceOf(MalformedBatchException.class);
        }
    }

    @Test
    void aPartOfABatchAloneIsRefused() {
        ByteBuffer bytes = batch(CompressionType.NONE, "one".getBytes(UTF_8));
        assertThatThrownBy(() -> read(bytes.limit(bytes.limit() - 1)))
                .isInstanceOf(MalformedBatchException.class)
                .hasMessageContaining("a part of one batch");
        assertThat(read(ByteBuffer.allocate(0))).isEmpty();
    }

    private byte[][] noisy(int count, int sizeBytes) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[][] values = new byte[count][sizeBytes];
        byte[] noise = new byte[sizeBytes / 100];
        for (byte[] value : values) {
            random.nextBytes(noise);
            System.arraycopy(noise, 0, value, 0, noise.length);
        }
        return values;
    }

    /** The offsets of what is handed over; those of records that are not read in brackets, with how many they are. */
    private List<String> places(ByteBuffer batch, long begin, long end) {
        List<String> places = new ArrayList<>();
        batches.read(new FetchedRecords(batch, List.of()), begin, end, record -> {
            OversizedRecords unread = record.isUnread() ? record.unread() : null;
            return places.add(
                    unread == null
                            ? "" + record.offset()
                            : "[" + unread.firstOffset() + ", " + unread.offset() + "] " + unread.count());
        });
        return places;
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "LZ4", "ZSTD", "SNAPPY"})
    void aRecordThatIsTooLargeOnceItIsDecompressedIsPassedOverAndTheOthersAreRead(CompressionType type) {
        byte[] small = "small".getBytes(UTF_8);
        ByteBuffer batch = batch(type, small, noisy(1, 1_100_000)[0], small);

        assertThat(places(batch, 0, Long.MAX_VALUE)).containsExactly("500", "[501, 501] 1", "502");
        assertThat(places(batch, 501, 502)).containsExactly("[501, 501] 1");
        assertThat(places(batch, 502, 503)).containsExactly("502");
        assertThat(places(batch(type, new byte[1_000_000]), 0, Long.MAX_VALUE)).containsExactly("500");
    }

    @Test
    void aRecordThatIsTooLargeIsPassedOverWithoutCompressionToo() {
        int most = RecordLimit.SMALL_BYTES + 100;
        RecordBatches inPlace = new RecordBatches(PARTITION, most);
        List<String> places = new ArrayList<>();
        byte[] large = new byte[most - RecordLimit.FIELDS_BYTES];
        byte[] oversized = new byte[large.length + 1];
        inPlace.read(
                new FetchedRecords(batch(CompressionType.NONE, large, oversized, new byte[9]), List.of()),
                0,
                Long.MAX_VALUE,
                record -> places.add(record.offset() + (record.isUnread() ? " unread" : "")));
        assertThat(places).containsExactly("500", "501 unread", "502");
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "LZ4", "ZSTD", "SNAPPY"})
    void aRecordOfManyMegabytesOnceItIsDecompressedTakesNoMemory(CompressionType type) {
        byte[] small = "small".getBytes(UTF_8);
        ByteBuffer bomb = batch(type, small, new byte[48 << 20], small);
        assertThat(bomb.limit()).isLessThan(4 << 20);
        boolean beyond = type == CompressionType.GZIP || type == CompressionType.ZSTD;
        long before = allocated();

        assertThat(places(bomb, 0, Long.MAX_VALUE))
                .isEqualTo(beyond ? List.of("500", "[501, 502] 2") : List.of("500", "[501, 501] 1", "502"));

        assertThat(allocated() - before).isLessThan(8 << 20);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "ZSTD"})
    void whatABatchUnpacksToIsBoundedByItsSizeAndTheRestOfItIsOneRange(CompressionType type) {
        ByteBuffer bomb = batch(type, new byte[2_000][100_000]);
        long most = (1 << 20) + (long) RecordLimit.MAX_UNPACKING * bomb.limit();
        assertThat(most).isLessThan(100_000_000);

        List<String> all = places(bomb, 0, Long.MAX_VALUE);

        assertThat(batches.unpackedBytes()).isBetween(most - 300_000, most + 200_000);
        int read = all.size() - 1;
        long behind = 500L + read;
        assertThat(all.get(read)).isEqualTo("[" + behind + ", 2499] " + (2_000 - read));
        assertThat(places(bomb, behind + 7, 2_400)).containsExactly("[" + (behind + 7) + ", 2399] " + (2_393 - behind));
        assertThat(places(bomb, 2_499, 2_500)).containsExactly("[2499, 2499] 1");
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"NONE", "GZIP"})
    void aBatchThatIsReadRangeByRangeIsFetchedAndUnpackedOnce(CompressionType type) {
        FetchedRecords fetched = new FetchedRecords(batch(type, noisy(200, 10_000)), List.of());
        List<Long> offsets = new ArrayList<>();
        RecordBatches.Taker taker = record -> offsets.add(record.offset());
        batches.read(fetched, 0, 501, taker);
        for (long begin = 501; begin < 700; begin++) {
            assertThat(batches.canGoOn(begin - 1)).isFalse();
            assertThat(batches.canGoOn(begin)).isTrue();
            batches.goOn(begin, begin + 1, taker);
        }
        assertThat(offsets).hasSize(200).isSorted();
        assertThat(batches.unpackedBytes()).isLessThan(201 * 10_020);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "ZSTD"})
    void manyRecordsThatAreLargeOnceTheyAreDecompressedTakeTheMemoryOfOne(CompressionType type) {
        ByteBuffer bytes = batch(type, noisy(100, 1_000_000));
        long before = allocated();
        int[] seen = new int[1];
        assertThat(batches.read(new FetchedRecords(bytes, List.of()), 0, Long.MAX_VALUE, record -> ++seen[0] < 90))
                .isFalse();
        assertThat(seen[0]).isEqualTo(90);
        assertThat(allocated() - before).isLessThan(8 << 20);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    @Test
    void recordsThatLieInPlaceCostNoMemoryOfTheirOwn() {
        byte[][] values = new byte[2_000][100];
        Arrays.setAll(values, i -> ("value " + i).getBytes(UTF_8));
        FetchedRecords fetched = new FetchedRecords(batch(CompressionType.NONE, values), List.of());
        long[] sum = new long[1];
        long before = 0;
        for (int i = 0; i < 3; i++) {
            before = allocated();
            batches.read(
                    fetched,
                    0,
                    Long.MAX_VALUE,
                    record -> (sum[0] += record.value().sizeBytes()) >= 0);
        }
        assertThat(allocated() - before).isLessThan(2_000);
        assertThat(HeaderBytes.NONE.encoded()).isEmpty();
    }
}
