package dev.stormproof.log.kafka;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.sign.TrustedKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;

/**
 * A reader of partitions of Kafka, batch by batch and in place, over one client, which goes from partition to partition. Every log that
 * is read again is read by it.
 */
public final class KafkaLogReader implements LogReader {
    /** Room for a whole answer: with a client's usual 64 KB, broker and reader wait for each other. */
    public static final int RECEIVE_BYTES = 1 << 20;

    /** How many compressed bytes are fetched at once; a single batch may be larger. */
    private static final int FETCH_BYTES = 1 << 20;

    /** How long a broker waits at the log's end, which delays the next seek too; Kafka's default is half a second. */
    private static final int MAX_WAIT_MILLIS = 10;

    /** The release of kafka-clients whose internal classes the reader uses. */
    static final String CLIENTS = "4.3";

    static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final BatchFetcher fetcher;
    private final LogRecordParser parser;
    private final Duration maxSilence;
    private @Nullable KafkaPartitionReader reader;

    /** A reader of committed records. */
    public KafkaLogReader(Map<String, Object> clientConfig, LogRecordParser parser) {
        this(clientConfig, parser, MAX_SILENCE);
    }

    /** @param maxSilence for how long a log may give nothing of what it holds */
    public KafkaLogReader(Map<String, Object> clientConfig, LogRecordParser parser, Duration maxSilence) {
        this(fetcher(clientConfig, "read_committed"), parser, maxSilence);
    }

    private KafkaLogReader(BatchFetcher fetcher, LogRecordParser parser, Duration maxSilence) {
        this.fetcher = fetcher;
        this.parser = parser;
        this.maxSilence = maxSilence;
    }

    /** A reader of all records, those of open and aborted transactions too. */
    public static KafkaLogReader ofUncommitted(
            Map<String, Object> clientConfig, LogRecordParser parser, Duration maxSilence) {
        return new KafkaLogReader(fetcher(clientConfig, "read_uncommitted"), parser, maxSilence);
    }

    private static BatchFetcher fetcher(Map<String, Object> clientConfig, String isolationLevel) {
        try {
            return new BatchFetcher(configOf(clientConfig, isolationLevel));
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "kafka-clients " + AppInfoParser.getVersion()
                            + " is on the class path, and logs are read with internal" + " classes of " + CLIENTS
                            + ": leave out the other jar",
                    e);
        }
    }

    /** The configuration of a client that reads explicit ranges, outside of all consumer groups. */
    static Map<String, Object> configOf(Map<String, Object> clientConfig, String isolationLevel) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.remove("group.id");
        config.put("max.partition.fetch.bytes", FETCH_BYTES);
        config.put("fetch.max.bytes", FETCH_BYTES);
        config.putIfAbsent("fetch.max.wait.ms", MAX_WAIT_MILLIS);
        config.putIfAbsent("receive.buffer.bytes", RECEIVE_BYTES);
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "none");
        config.put("isolation.level", isolationLevel);
        config.put("allow.auto.create.topics", "false");
        return config;
    }

    /** A reader of committed records, without a parser. */
    public static KafkaLogReader ofStored(Map<String, Object> clientConfig, Duration maxSilence) {
        LogRecordParser none = new LogRecordParser(
                Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
        return new KafkaLogReader(clientConfig, none, maxSilence);
    }

    @Override
    public KafkaPartitionReader of(TopicPartition partition) {
        release();
        KafkaPartitionReader next = new KafkaPartitionReader(fetcher, partition, parser, maxSilence, System::nanoTime);
        reader = next;
        return next;
    }

    @Override
    public void close() {
        release();
        fetcher.close();
    }

    private void release() {
        if (reader != null) {
            reader.release();
        }
    }
}
