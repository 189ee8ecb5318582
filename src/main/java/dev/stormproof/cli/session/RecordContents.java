package dev.stormproof.cli.session;

import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.alert.dashboard.RecordSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.verify.judge.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A reader of what is at single places, for the page: a client for each finding that is opened, and for no longer. */
final class RecordContents implements RecordSource {
    /** For how long one answer may be waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** After how long no further place of a finding is read. */
    static final Duration MOST_TIME = Duration.ofSeconds(10);

    private final Connection connection;

    RecordContents(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void read(PartitionId id, List<Long> offsets, Consumer<ReadRecord> taker) {
        long beginNanos = System.nanoTime();
        List<Long> left = new ArrayList<>(offsets);
        String fault;
        Map<String, Object> impatient = new HashMap<>(connection.clientProperties());
        impatient.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        impatient.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        try (LogReader log = KafkaLogReader.ofUncommitted(impatient, RecordAt.newParser(), PATIENCE)) {
            TopicPartition partition = new TopicPartition(id.topic(), id.partition());
            PartitionReader reader = log.of(partition);
            Bounds bounds = reader.bounds();
            while (!left.isEmpty() && System.nanoTime() - beginNanos < MOST_TIME.toNanos()) {
                taker.accept(read(reader, partition, bounds, left.get(0)));
                left.remove(0);
            }
            fault = "Kafka takes longer than " + MOST_TIME.toSeconds() + " s";
        } catch (KafkaException e) {
            fault = Failure.ofClient(e);
        }
        for (long offset : left) {
            taker.accept(ReadRecord.unread(offset, "not read: " + fault));
        }
    }

    private static ReadRecord read(PartitionReader reader, TopicPartition partition, Bounds bounds, long offset) {
        if (offset < bounds.begin() || offset >= bounds.end()) {
            return ReadRecord.unread(
                    offset, "the log does not hold it: it has " + bounds.begin() + " to " + (bounds.end() - 1));
        }
        try {
            return RecordAt.read(reader, partition, offset).read();
        } catch (ExpiredRangeException e) {
            return ReadRecord.unread(offset, "the log dropped it just now");
        } catch (Failure e) {
            return ReadRecord.unread(offset, String.valueOf(e.getMessage()));
        }
    }
}
