package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;

/** Makes spouts from settings. */
final class CustodySpouts {
    /** A commit period that never ends: a century, in milliseconds. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(36_500);

    private CustodySpouts() {}

    /**
     * The spout of the verifying mode: it gives no guarantee and commits nothing, because the log is the authority and
     * the offsets of its group are the verified progress, which is committed where it is verified.
     */
    static CustodySpout verifying(StormproofConfig config) {
        SpoutPartitions partitions =
                new SpoutPartitions(SubscribedTopics.of(config), new TopicIds(config.kafkaAdmin()));
        Outlet outlet = switch (config.trackerPlacement()) {
            case BOLT -> Outlet.TO_BOLTS;
            case SOURCE -> new SourceVerification(TopologySettings.of(config));
        };
        RecordTranslation translation = new RecordTranslation(false, partitions, outlet);
        KafkaSpoutConfig<byte[], byte[]> spout = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        config.bootstrapServers(), partitions, partitions)
                .setProp(consumerProperties(config))
                .setGroupId(config.groupId())
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(NEVER_MILLIS)
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .build();
        return new CustodySpout(spout, translation, partitions, outlet);
    }

    /** The properties of a consumer that reads what the promises are about. */
    static Map<String, Object> consumerProperties(StormproofConfig config) {
        Map<String, Object> properties = new HashMap<>(config.kafkaConsumer());
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return properties;
    }
}
