package dev.stormproof.live;

import dev.stormproof.checkpoint.Origins;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.log.LogReader;
import dev.stormproof.origin.OriginLogs;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The factory of readers of the logs of origins, from settings. */
public final class OriginReaders {
    private OriginReaders() {}

    /** A reader of logs that also says what those of their origins show, if they are to be read; for one thread. */
    public static LogReader beside(StormproofConfig config, LogReader log) {
        return of(config).map(origins -> origins.beside(log)).orElse(log);
    }

    private static Optional<OriginLogs> of(StormproofConfig config) {
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
