package dev.stormproof.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranges read from a real broker, whole or not at all. */
@OnKafka
@Timeout(60)
class KafkaPartitionReaderTest {
    private static final int LARGE_RECORDS = 6_000;
    private static final long LARGE_SEED = 14;

    private static final PartitionReader.Taker ALL = (record, leaderEpoch, timestampMillis, content) -> true;

    private TopicPartition partition;
    private Map<String, Object> client;
    private LogRecordParser parser;
    private LogReader log;
    private PartitionReader reader;
    private EmbeddedKafka kafka;

    @BeforeEach
    void open(EmbeddedKafka shared) {
        kafka = shared;
        partition = new TopicPartition(SharedKafka.createTopic(kafka, "reader", 1), 0);
        client = Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "ignored");
        parser = StreamRecords.parser();
        log = new KafkaLogReader(client, parser);
        reader = log.of(partition);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void send(KafkaProducer<byte[], byte[]> producer, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>(partition.topic(), 0, null, new byte[] {1}))
                    .get();
        }
    }

    private List<Long> offsets(long begin, long end) throws ExpiredRangeException {
        List<Long> offsets = new ArrayList<>();
        reader.scan(begin, end, (record, leaderEpoch, timestampMillis, content) -> offsets.add(record.offset()));
        return offsets;
    }

    @Test
    void theLogTellsWhereItWasCut() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            send(producer, 6);
        }
        assertThat(reader.endOfEpoch(4, 0)).isEqualTo(new EpochEnd(0, 4));
        assertThat(reader.endOfEpoch(6, 0)).isEqualTo(new EpochEnd(0, 6));
        // Somebody once read up to 9 under this epoch; now it ends at 6.
        assertThat(reader.endOfEpoch(9, 0)).isEqualTo(new EpochEnd(0, 6));
        assertThat(offsets(2, 5)).containsExactly(2L, 3L, 4L);
    }

    /** Answers of a megabyte each: what was taken of one stays as it was when others are received where it lay. */
    @Test
    void whatWasTakenOfAnAnswerStaysWhenOthersFollow() throws Exception {
        SplittableRandom random = new SplittableRandom(LARGE_SEED);
        List<byte[]> values = new ArrayList<>();
        List<Hash> signatures = new ArrayList<>();
        EventSigner signer = EventSigners.ofId(EventSigners.XXH3_KEY_VALUE).orElseThrow();
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka, "linger.ms", 50)) {
            for (int i = 0; i < LARGE_RECORDS; i++) {
                byte[] value = new byte[1_000];
                random.nextBytes(value);
                values.add(value);
                signatures.add(signer.sign(null, value));
                byte[] header =
                        new EventHeader(7, i, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signatures.get(i)).encode();
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(partition.topic(), 0, null, value);
                record.headers().add(EventHeader.NAME, header);
                var unused = producer.send(record);
            }
        }
        for (int time = 1; time <= 2; time++) {
            Kept kept = new Kept();
            reader.scan(0, LARGE_RECORDS, kept);
            assertThat(kept.records).hasSize(LARGE_RECORDS);
            for (int i = 0; i < LARGE_RECORDS; i++) {
                Event event = (Event) kept.records.get(i);
                assertThat(event.sequence()).isEqualTo(i);
                assertThat(event.stated()).isEqualTo(signatures.get(i)).isEqualTo(event.observed());
                assertThat(kept.contents.get(i).value()).isEqualTo(values.get(i));
            }
        }
    }

    /** Keeps what it takes. */
    private static final class Kept implements PartitionReader.Taker {
        private final List<LogRecord> records = new ArrayList<>();
        private final List<RecordContent> contents = new ArrayList<>();

        @Override
        public boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content) {
            records.add(record);
            contents.add(content.get());
            return true;
        }
    }

    @Test
    void whatTheLogNoLongerHoldsIsExpiredAndNotEmpty() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka);
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            send(producer, 6);
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4)))
                    .all()
                    .get();
        }
        assertThat(reader.bounds().begin()).isEqualTo(4);
        assertThatThrownBy(() -> offsets(2, 6))
                .isInstanceOf(ExpiredRangeException.class)
                .hasMessageContaining("offset 2");
        assertThat(offsets(4, 6)).containsExactly(4L, 5L);
    }

    /** Of a log that is empty ten records are asked for, and each look at the clock is 25 seconds later. */
    @Test
    void aLogThatGivesNothingForAMinuteIsGivenUp() {
        AtomicLong nanos = new AtomicLong();
        LongSupplier clock = () -> nanos.getAndAdd(TimeUnit.SECONDS.toNanos(25));
        assertThatThrownBy(() -> {
                    try (BatchFetcher fetcher = new BatchFetcher(KafkaLogReader.configOf(client, "read_committed"))) {
                        new KafkaPartitionReader(fetcher, partition, parser, KafkaLogReader.MAX_SILENCE, clock)
                                .scan(0, 10, ALL);
                    }
                })
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("gave nothing at offset 0");
        assertThat(nanos).as("asked at 0, 25, 50 and 75 s").hasValue(TimeUnit.SECONDS.toNanos(100));
    }

    @Test
    void aBrokerWaitsTenMillisecondsAtMostForMoreToRead() {
        assertThat(KafkaLogReader.configOf(Map.of(), "read_committed")).containsEntry("fetch.max.wait.ms", 10);
    }

    @Test
    void aFetchIsBoundedWhateverTheClientsConfigurationSays() {
        Map<String, Object> large = Map.of("max.partition.fetch.bytes", 1 << 30, "fetch.max.bytes", 1 << 30);
        assertThat(KafkaLogReader.configOf(large, "read_committed"))
                .containsEntry("max.partition.fetch.bytes", 1 << 20)
                .containsEntry("fetch.max.bytes", 1 << 20);
    }
}
