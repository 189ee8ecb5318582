package dev.stormproof.live;

import dev.stormproof.checkpoint.Origins;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.log.KafkaLogReader;
import dev.stormproof.log.LogReader;
import dev.stormproof.log.OriginLogs;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The factory of readers of the logs of origins, from settings. */
public final class OriginReaders {
    private OriginReaders() {}

    /** The logs of the origins of the input topics, for one thread; empty if they are not to be read. */
    public static Optional<OriginLogs> of(StormproofConfig config) {
        return config.hasOriginLogs()
                ? Optional.of(new OriginLogs(
                        RecordParsers.originsOf(config).byTopic(),
                        () -> newReader(config),
                        config.originTimeoutMillis()))
                : Optional.empty();
    }

    private static LogReader newReader(StormproofConfig config) {
        long timeoutMillis = config.originTimeoutMillis();
        String timeout = Long.toString(timeoutMillis);
        Map<String, Object> consumer = config.originConsumer();
        consumer.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeout);
        // An origin's own checkpoints name it.
        return new ExistingTopics(
                config.originAdmin(),
                timeout,
                new KafkaLogReader(
                        consumer, RecordParsers.newParser(config, Origins.NONE), Duration.ofMillis(timeoutMillis)));
    }
}
