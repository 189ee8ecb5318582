package dev.stormproof.task.storm.spout;

import com.codahale.metrics.MetricSet;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.LostPosition;
import dev.stormproof.task.live.progress.SubscribedTopics;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.watch.UnreadablePartitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Time;

/**
 * A KafkaSpout that hands on each record with its place in the log. Everything that KafkaSpout does besides reading is switched off:
 *
 * <pre>
 *   switched off             by                                 because
 *   acks, replays            NO_GUARANTEE                       the log is read again from the verified progress in the group's offsets,
 *                                                               which says more than acks of tuples
 *   commits                  a commit period without end        the verification commits its progress
 *   tuples of records        a translator that returns null     an {@link RecordSink} takes a whole poll at once; KafkaSpout emits one record for
 *                                                               each call, and looks at all partitions before
 *   reset of positions       auto.offset.reset=none             retention or truncation would be passed over in silence; see below
 *   gauges of offsets        a context that registers none      they read the bookkeeping of acks, and without one they throw
 *   Kafka's group protocol   a partitioner of its own           a partition belongs to the task that verifies it, by Storm's grouping
 * </pre>
 *
 * <p>Retention or truncation can overtake a consumer. Then this class moves the position, see {@link LostPosition}.
 */
public final class LogSpout extends KafkaSpout<byte[], byte[]> {
    private static final long serialVersionUID = 1L;

    /** A commit period that never ends: a century, in milliseconds. */
    static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(36_500);

    private static final int POLL_RECORDS = 4_000;

    /** How long the consumer may not know of new partitions; Kafka's default is five minutes. */
    private static final int METADATA_MILLIS = 5_000;

    private static final long NOTHING_TO_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RecordTranslation translation;
    private final SpoutPartitions partitions;
    private final RecordSink outlet;
    private final UnreadRecords unread;

    public static LogSpout of(StormproofConfig config, RecordSink outlet) {
        SpoutPartitions partitions =
                new SpoutPartitions(new SubscribedTopics(config.input.names()), new TopicIds(config.kafkaAdmin()));
        RecordTranslation translation = new RecordTranslation(partitions, outlet);
        KafkaSpoutConfig<byte[], byte[]> spout = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        config.bootstrapServers(), partitions, partitions)
                .setProp(consumer(config))
                .setGroupId(config.groupId())
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(NEVER_MILLIS)
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .build();
        return new LogSpout(spout, translation, partitions, outlet, new UnreadRecords(config));
    }

    /** Takes more records in a poll than Kafka's default: each poll costs as much as a hundred records. */
    private static Map<String, Object> consumer(StormproofConfig config) {
        Map<String, Object> properties = config.kafkaReader();
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        // KafkaSpout asks for partitions every two seconds, and its consumer answers from its cached metadata.
        properties.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MILLIS);
        properties.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, KafkaLogReader.RECEIVE_BYTES);
        return properties;
    }

    @SuppressWarnings("NullAway.Init") // Storm opens it first.
    private transient UnreadablePartitions unreadable;

    @SuppressWarnings("NullAway.Init")
    private transient SpoutOutputCollector errors;

    LogSpout(
            KafkaSpoutConfig<byte[], byte[]> config,
            RecordTranslation translation,
            SpoutPartitions partitions,
            RecordSink outlet,
            UnreadRecords unread) {
        super(config);
        this.translation = translation;
        this.partitions = partitions;
        this.outlet = outlet;
        this.unread = unread;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        unreadable = new UnreadablePartitions();
        errors = collector;
        super.open(conf, GaugelessContext.of(context), collector);
        // Before the spout is activated and asks where to begin: opening ends a predecessor's transactions.
        outlet.open(context, collector);
        unread.open(context);
    }

    @Override
    public void deactivate() {
        super.deactivate();
        outlet.flush();
    }

    @Override
    public void nextTuple() {
        partitions.consumer().ifPresent(consumer -> unreadable.resume(consumer, Time.nanoTime()));
        try {
            super.nextTuple();
        } catch (OffsetOutOfRangeException e) {
            Consumer<?, ?> consumer = partitions.consumer().orElseThrow(() -> e);
            LostPosition.moveOn(consumer, e, partition -> committed(consumer, partition), partition -> {
                translation.reset(partition);
                unreadable.rest(consumer, partition, Time.nanoTime());
            });
        } catch (KafkaException e) {
            unreadable.pause(partitions.consumer().orElseThrow(() -> e), e, Time.nanoTime());
            errors.reportError(e);
        } catch (OutOfMemoryError e) {
            // A record does not fit once it is unpacked. The verifier finds the gap, and reads the log there within
            // bounds.
            Consumer<?, ?> consumer = partitions.consumer().orElseThrow(() -> e);
            Set<TopicPartition> all = consumer.assignment();
            consumer.seekToEnd(all);
            all.forEach(translation::reset);
            errors.reportError(e);
        }
        outlet.polled();
        partitions.consumer().ifPresent(unread::polled);
        if (partitions.areNone()) {
            // With partitions, the consumer waits for records; with placement source, Storm does not wait.
            LockSupport.parkNanos(NOTHING_TO_READ_NANOS);
        }
    }

    @Override
    public void close() {
        try (partitions) {
            super.close();
        } finally {
            unread.close();
            outlet.close();
        }
    }

    private static OptionalLong committed(Consumer<?, ?> consumer, TopicPartition partition) {
        OffsetAndMetadata progress = consumer.committed(Set.of(partition)).get(partition);
        return progress == null ? OptionalLong.empty() : OptionalLong.of(progress.offset());
    }

    /** A copy of a task's context that registers no metric sets. */
    private static final class GaugelessContext extends TopologyContext {
        private GaugelessContext(
                TopologyContext original, Map<String, List<Integer>> tasks, Map<String, Map<String, Fields>> fields) {
            super(
                    original.getRawTopology(),
                    original.getConf(),
                    original.getTaskToComponent(),
                    tasks,
                    fields,
                    original.getBlobToLastKnownVersion(),
                    original.getStormId(),
                    original.getCodeDir(),
                    original.getPIDDir(),
                    original.getThisTaskId(),
                    original.getThisWorkerPort(),
                    original.getThisWorkerTasks(),
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    new AtomicBoolean(),
                    null);
        }

        static GaugelessContext of(TopologyContext original) {
            Map<String, List<Integer>> tasks = new HashMap<>();
            Map<String, Map<String, Fields>> fields = new HashMap<>();
            for (String component : original.getComponentIds()) {
                tasks.put(component, original.getComponentTasks(component));
                Map<String, Fields> streams = new HashMap<>();
                for (String stream : original.getComponentStreams(component)) {
                    streams.put(stream, original.getComponentOutputFields(component, stream));
                }
                fields.put(component, streams);
            }
            return new GaugelessContext(original, tasks, fields);
        }

        @Override
        public void registerMetricSet(String prefix, MetricSet set) {}
    }
}
