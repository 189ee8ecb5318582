package dev.stormproof.soak;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.kafka.spout.RecordTranslator;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/** Storm's own parts in topologies of the same shape, which verify nothing: what {@link PlacementBench} compares with. */
final class PlainStorm {
    private static final int COMMIT_MILLIS = 100;
    private static final Fields FIELDS = new Fields("key", "value");

    private PlainStorm() {}

    /** A KafkaSpout whose translator returns nothing, as the spout of placement {@code source} emits nothing. */
    static StormTopology spout(String servers, String group, String topic) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("events", new KafkaSpout<>(spout(servers, group, topic, new Nothing())), 1);
        return builder.createTopology();
    }

    /** A KafkaSpout with two bolts that do nothing, one behind the other. */
    static StormTopology bolts(String servers, String group, String topic) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("events", new KafkaSpout<>(spout(servers, group, topic, new KeyAndValue())), 1);
        builder.setBolt("pass", new PassingBolt(), 1).shuffleGrouping("events");
        builder.setBolt("end", new EndingBolt(), 1).shuffleGrouping("pass");
        return builder.createTopology();
    }

    static Config config(boolean emitting) {
        Config storm = new Config();
        storm.setNumWorkers(1);
        storm.setNumAckers(0);
        if (!emitting) {
            // Else Storm lets a spout that emits nothing sleep for a millisecond after every poll.
            storm.put(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, WaitStrategyPark.class.getName());
            storm.put(Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, 0);
        }
        return storm;
    }

    private static KafkaSpoutConfig<byte[], byte[]> spout(
            String servers, String group, String topic, RecordTranslator<byte[], byte[]> translator) {
        return new KafkaSpoutConfig.Builder<byte[], byte[]>(servers, topic)
                .setProp("group.id", group)
                .setProp("key.deserializer", ByteArrayDeserializer.class.getName())
                .setProp("value.deserializer", ByteArrayDeserializer.class.getName())
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(COMMIT_MILLIS)
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(translator)
                .build();
    }

    private static final class Nothing implements RecordTranslator<byte[], byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
            return null;
        }

        @Override
        public Fields getFieldsFor(String stream) {
            return FIELDS;
        }
    }

    private static final class KeyAndValue implements RecordTranslator<byte[], byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
            return new Values(record.key(), record.value());
        }

        @Override
        public Fields getFieldsFor(String stream) {
            return FIELDS;
        }
    }

    private static class PassingBolt extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void prepare(Map<String, Object> storm, TopologyContext context) {
            // It needs nothing.
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(tuple.getValue(0), tuple.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(FIELDS);
        }
    }

    private static final class EndingBolt extends PassingBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            // Nothing follows.
        }
    }
}
