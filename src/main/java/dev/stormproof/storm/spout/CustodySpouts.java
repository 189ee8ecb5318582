package dev.stormproof.storm.spout;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.live.SubscribedTopics;
import dev.stormproof.live.TopicIds;
import java.util.concurrent.TimeUnit;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;

/** Makes spouts from settings. */
public final class CustodySpouts {
    /** A commit period that never ends: a century, in milliseconds. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(36_500);

    private CustodySpouts() {}

    /**
     * The spout of the verifying mode: it gives no guarantee and commits nothing, because the log is the authority and
     * the offsets of its group are the verified progress, which is committed where it is verified.
     *
     * @param outlet takes what it reads
     */
    public static CustodySpout verifying(StormproofConfig config, Outlet outlet) {
        SpoutPartitions partitions =
                new SpoutPartitions(SubscribedTopics.of(config), new TopicIds(config.kafkaAdmin()));
        RecordTranslation translation = new RecordTranslation(false, partitions, outlet);
        KafkaSpoutConfig<byte[], byte[]> spout = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        config.bootstrapServers(), partitions, partitions)
                .setProp(config.kafkaReader())
                .setGroupId(config.groupId())
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(NEVER_MILLIS)
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .build();
        return new CustodySpout(spout, translation, partitions, outlet);
    }
}
