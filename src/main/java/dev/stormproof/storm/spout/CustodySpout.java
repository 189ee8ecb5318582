package dev.stormproof.storm.spout;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A KafkaSpout that says so when it loses its place in the log.
 *
 * <p>Retention or truncation can overtake a consumer. With a reset policy it would jump in silence, and what it jumped
 * over would be taken for something that never was. Here the policy is {@code none}: the jump is made openly, and the next
 * record is a start.
 *
 * <pre>
 *   the position is not in the log           ──► the committed progress, if the log still holds it; else its beginning
 *   the log was cut at an offset, and grew   ──► that offset or the committed progress, whichever is less
 *   it was cut at an unknown offset          ──► the log's beginning
 * </pre>
 *
 * <p>In unacked mode KafkaSpout's offset gauges throw a NullPointerException whenever they are read, because they look
 * into the bookkeeping of acks; they are not registered then.
 */
public final class CustodySpout extends KafkaSpout<byte[], byte[]> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CustodySpout.class);

    /** The log was cut, and Kafka does not say where. */
    private static final long UNKNOWN_CUT = -1;

    private static final long NOTHING_TO_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RecordTranslation translation;
    private final SpoutPartitions partitions;
    private final Outlet outlet;
    private final boolean acked;

    /** The parts must be those that {@code config} was built with. */
    CustodySpout(
            KafkaSpoutConfig<byte[], byte[]> config,
            RecordTranslation translation,
            SpoutPartitions partitions,
            Outlet outlet) {
        super(config);
        this.translation = translation;
        this.partitions = partitions;
        this.outlet = outlet;
        this.acked = config.getProcessingGuarantee() == ProcessingGuarantee.AT_LEAST_ONCE;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        super.open(conf, acked ? context : MetriclessContext.of(context), collector);
        // Before the spout is activated, and asks where to begin: whoever verifies must have ended what is open there.
        outlet.open(context, collector::reportError);
    }

    @Override
    public void deactivate() {
        super.deactivate();
        outlet.rest();
    }

    @Override
    public void nextTuple() {
        try {
            super.nextTuple();
        } catch (OffsetOutOfRangeException e) {
            Consumer<?, ?> consumer = partitions.consumer().orElseThrow(() -> e);
            e.offsetOutOfRangePartitions()
                    .forEach((partition, offset) -> jump(consumer, partition, offset, cut(e, partition)));
        }
        outlet.asked();
        if (partitions.areNone()) {
            // Otherwise the consumer waits for records; with placement source, Storm does not.
            LockSupport.parkNanos(NOTHING_TO_READ_NANOS);
        }
    }

    @Override
    public void close() {
        try (partitions) {
            super.close();
        } finally {
            outlet.close();
        }
    }

    /** The offset from which on the log holds other records than it did, as far as Kafka says. */
    private static long cut(OffsetOutOfRangeException e, TopicPartition partition) {
        if (e instanceof LogTruncationException cut) {
            OffsetAndMetadata divergent = cut.divergentOffsets().get(partition);
            return divergent == null ? UNKNOWN_CUT : divergent.offset();
        }
        return PartitionCustody.NO_CUT;
    }

    private void jump(Consumer<?, ?> consumer, TopicPartition partition, long from, long cut) {
        long limit = cut == UNKNOWN_CUT ? 0 : cut;
        try {
            Set<TopicPartition> one = Set.of(partition);
            long begin = Objects.requireNonNull(consumer.beginningOffsets(one).get(partition));
            long end = Objects.requireNonNull(consumer.endOffsets(one).get(partition));
            long to = Optional.ofNullable(consumer.committed(one).get(partition))
                    .map(progress -> Math.min(progress.offset(), limit))
                    .filter(progress -> begin <= progress && progress <= end)
                    .orElse(begin);
            LOG.warn(
                    "{}: offset {} is not in the log, which holds [{}, {}); going on from {}",
                    partition,
                    from,
                    begin,
                    end,
                    to);
            consumer.seek(partition, to);
            translation.loseThread(partition, cut == UNKNOWN_CUT ? PartitionCustody.NO_CUT : cut);
        } catch (RetriableException e) {
            // The next poll finds the position out of range again.
            LOG.warn("{}: cannot ask for the log's bounds now", partition, e);
        }
    }
}
