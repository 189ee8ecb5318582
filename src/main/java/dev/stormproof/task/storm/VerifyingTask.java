package dev.stormproof.task.storm;

import com.codahale.metrics.Counter;
import dev.stormproof.log.kafka.ConsumedRecords;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification;
import dev.stormproof.task.live.open.LastingVerification;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.storm.spout.RecordSink;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.storm.tuple.PartitionPlacement;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * The verification in a Storm task: parses deliveries for {@link LastingVerification} and shows its counts as metrics. The
 * task's partitions are those that {@link PartitionPlacement} gives it.
 *
 * <p>In placement {@code bolt} the {@link CheckpointBolt} drives it. In placement {@code source} it is a sink that transforms and verifies in the
 * spout's task and thread, and emits no tuple. Feed, judge and audits exchange messages in both directions; between two tasks each could be
 * lost and would have to be requested again.
 *
 * <p>Belongs to one task and its thread; any may call {@link #close}.
 */
final class VerifyingTask implements RecordSink {
    private static final long serialVersionUID = 1L;

    /** The spout hands over thousands of records between two polls, which may take long with a slow transform. */
    private static final int RECORDS_BETWEEN_POLLS = 256;

    /** As in the file, so that references to secrets reach the workers unresolved. */
    private final TreeMap<String, String> properties;

    @SuppressWarnings("NullAway.Init") // Storm opens it first.
    private transient LogRecordParser parser;

    private transient @Nullable LastingVerification verification;
    private transient @Nullable NotaryThread notary;
    private transient long everyNanos;
    private transient long tickedNanos;
    private transient int sincePolled;

    VerifyingTask(StormproofConfig config) {
        this.properties = new TreeMap<>(config.properties());
    }

    @Override
    public void open(TopologyContext context, SpoutOutputCollector collector) {
        open(context, collector::reportError);
    }

    /** Begins for the task of {@code context}; waits for Kafka. */
    void open(TopologyContext context, Consumer<Throwable> errors) {
        StormproofConfig config = new StormproofConfig(properties);
        parser = RecordParsers.newParser(config);
        Map<Finding.Type, Counter> counters = new EnumMap<>(Finding.Type.class);
        for (Finding.Type type : Finding.Type.values()) {
            counters.put(type, context.registerCounter("findings-" + type.label()));
        }
        LastingVerification opened = new LastingVerification(
                config,
                new DurableVerification.Task(
                        context.getStormId(),
                        context.getThisTaskId(),
                        context.getThisTaskIndex(),
                        partition -> PartitionPlacement.isOf(context, partition)),
                type -> Objects.requireNonNull(counters.get(type)).inc(),
                errors);
        opened.gauges().forEach((name, value) -> context.registerGauge(name, value::get));
        verification = opened;
        if (config.notarizes()) {
            notary = NotaryThread.start(config, context.getThisTaskIndex(), errors);
        }
        everyNanos = TimeUnit.MILLISECONDS.toNanos(config.tasks.flushIntervalMillis());
        tickedNanos = Time.nanoTime();
    }

    @Override
    public void take(TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record) {
        LastingVerification to = opened();
        RecordContent content = to.takesContent() ? ConsumedRecords.content(record) : null;
        to.take(partition, topicId, link, ConsumedRecords.parsed(record, parser), content);
        if (++sincePolled >= RECORDS_BETWEEN_POLLS) {
            polled();
        }
    }

    /** Takes the next deliveries of a partition. */
    void take(DeliveryBatch batch) {
        LastingVerification to = opened();
        for (Delivery delivery : batch.deliveries()) {
            to.take(
                    delivery.partition(),
                    delivery.topicId(),
                    delivery.link(),
                    delivery.parsed(parser),
                    to.takesContent() ? delivery.content() : null);
        }
        to.poll();
    }

    @Override
    public void polled() {
        sincePolled = 0;
        long nowNanos = Time.nanoTime();
        if (nowNanos - tickedNanos >= everyNanos) {
            tickedNanos = nowNanos;
            opened().tick();
        } else {
            opened().poll();
        }
    }

    /** Ticks: an inactive spout does not poll, and a bolt never does. */
    @Override
    public void flush() {
        opened().tick();
    }

    @Override
    public void close() {
        if (notary != null) {
            notary.close();
        }
        if (verification != null) {
            verification.close();
        }
    }

    private LastingVerification opened() {
        if (verification == null) {
            throw new IllegalStateException("not open");
        }
        return verification;
    }
}
