package dev.stormproof.live;

import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.kafka.DirectLogReader;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.log.LogReader;
import java.util.Map;

/** The factory of readers of the log, of the kind that settings name. */
public final class LogReaders {
    private LogReaders() {}

    /** Makes a reader for one thread. */
    public static LogReader newReader(StormproofConfig config, LogRecordParser parser) {
        return newReader(config, config.kafkaConsumer(), parser);
    }

    static LogReader newReader(StormproofConfig config, Map<String, Object> clientConfig, LogRecordParser parser) {
        return switch (config.logReader()) {
            case DIRECT -> new DirectLogReader(clientConfig, parser);
            case CONSUMER -> new KafkaLogReader(clientConfig, parser);
        };
    }
}
