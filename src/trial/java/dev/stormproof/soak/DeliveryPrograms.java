package dev.stormproof.soak;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.storm.Config;
import org.apache.storm.kafka.bolt.KafkaBolt;
import org.apache.storm.kafka.bolt.mapper.FieldNameBasedTupleToKafkaMapper;
import org.apache.storm.kafka.bolt.selector.DefaultTopicSelector;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** The programs that deliver in {@link DeliveryBench}, each in a JVM of its own: one transform, and one thread for each part. */
final class DeliveryPrograms {
    private static final String KEY = "key";
    private static final String VALUE = "message";
    private static final int MAX_PENDING = 5_000;

    private DeliveryPrograms() {}

    /** The transform: the value behind a word, as short as one that does anything can be. */
    public static final class Prefix implements EventTransform {
        static final int BYTES = 5;

        static byte[] of(byte[] value) {
            byte[] made = new byte[BYTES + value.length];
            made[0] = 'm';
            made[1] = 'a';
            made[2] = 'd';
            made[3] = 'e';
            made[4] = ' ';
            System.arraycopy(value, 0, made, BYTES, value.length);
            return made;
        }

        @Override
        public Transformed apply(InputEvent event) {
            return Transformed.of(of(event.value()));
        }
    }

    /** Takes the name of the program, and the file of its configuration or servers, group, and both topics. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "streams" -> streams(arguments[1], arguments[2], arguments[3], arguments[4]);
            case "kafka-bolt" -> kafkaBolt(arguments[1], arguments[2], arguments[3], arguments[4]);
            default -> {
                StormproofConfig config = StormproofConfig.load(Path.of(arguments[1]));
                MeasuredTopology.runUntilEnded(
                        VerificationTopology.build(config), VerificationTopology.stormConfig(config));
            }
        }
    }

    private static void streams(String servers, String group, String input, String output) throws Exception {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, group);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(input, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .mapValues(value -> value == null ? null : Prefix.of(value))
                .to(output, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            streams.start();
            new CountDownLatch(1).await();
        }
    }

    private static void kafkaBolt(String servers, String group, String input, String output) throws Exception {
        KafkaSpoutConfig<byte[], byte[]> spout = new KafkaSpoutConfig.Builder<byte[], byte[]>(servers, input)
                .setProp("group.id", group)
                .setProp("key.deserializer", ByteArrayDeserializer.class.getName())
                .setProp("value.deserializer", ByteArrayDeserializer.class.getName())
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(record -> new Values(record.key(), record.value()), new Fields(KEY, VALUE))
                .build();
        Properties producer = new Properties();
        producer.put("bootstrap.servers", servers);
        producer.put("key.serializer", ByteArraySerializer.class.getName());
        producer.put("value.serializer", ByteArraySerializer.class.getName());
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("events", new KafkaSpout<>(spout), 1);
        builder.setBolt("transform", new PrefixBolt(), 1).shuffleGrouping("events");
        builder.setBolt(
                        "output",
                        new KafkaBolt<byte[], byte[]>()
                                .withProducerProperties(producer)
                                .withTopicSelector(new DefaultTopicSelector(output))
                                .withTupleToKafkaMapper(new FieldNameBasedTupleToKafkaMapper<>(KEY, VALUE)),
                        1)
                .shuffleGrouping("transform");
        Config storm = new Config();
        storm.setNumWorkers(1);
        storm.setNumAckers(1);
        storm.setMaxSpoutPending(MAX_PENDING);
        MeasuredTopology.runUntilEnded(builder.createTopology(), storm);
    }

    /** The transform as a bolt, which acknowledges each tuple. */
    private static final class PrefixBolt extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void prepare(java.util.Map<String, Object> storm, TopologyContext context) {
            // It needs nothing.
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            byte[] value = (byte[]) tuple.getValueByField(VALUE);
            collector.emit(new Values(tuple.getValueByField(KEY), value == null ? null : Prefix.of(value)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(KEY, VALUE));
        }
    }
}
