package dev.stormproof.task.storm;

import com.codahale.metrics.Counter;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.OutputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import dev.stormproof.task.transform.EventTransforms;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transform as a bolt: makes one value-added event of each event, in the same order, and passes checkpoints on unaltered.
 *
 * <p>Before the transform sees an event, it is parsed here, and the signature of the value that was read, the leaf of the tree, is computed. Both
 * travel with the event, so that an event whose value was altered on the way is found even if its header is intact.
 *
 * <p>If the transform fails, the event goes on as it was read, and the failure goes to Storm and to a counter: one bad event must neither stop
 * the proof of others nor be missing in it. An output tries the transform again and decides.
 */
final class TransformBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TransformBolt.class);

    /** After how long events of a slow transform are handed on before the rest of their batch. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** As in the file, so that references to secrets reach the workers unresolved. */
    private final TreeMap<String, String> properties;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first, for this and all that follow.
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient LogRecordParser parser;

    @SuppressWarnings("NullAway.Init")
    private transient TransformRunner transform;

    @SuppressWarnings("NullAway.Init")
    private transient Counter failures;

    @SuppressWarnings("NullAway.Init")
    private transient TaskMetrics metrics;

    TransformBolt(StormproofConfig config) {
        this.properties = new TreeMap<>(config.properties());
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
        StormproofConfig config = new StormproofConfig(properties);
        collector = output;
        parser = RecordParsers.newParser(config);
        // A verified topic is made of what is read again.
        String name = config.output.isHeld() ? OutputSettings.NO_TRANSFORM : config.output.transform();
        transform = new TransformRunner(EventTransforms.named(name), 0, config.output.timeoutMillis());
        failures = context.registerCounter("transform-failures");
        metrics = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
        LOG.info("transforming with {}", name);
    }

    @Override
    public void execute(Tuple tuple) {
        DeliveryBatcher made = new DeliveryBatcher(batch -> collector.emit(tuple, new Values(batch)));
        long handedOnNanos = Time.nanoTime();
        for (Delivery read : DeliveryBatch.in(tuple).deliveries()) {
            made.add(passes(read) ? read : transformed(read));
            long nowNanos = Time.nanoTime();
            if (nowNanos - handedOnNanos >= SLICE_NANOS) {
                handedOnNanos = nowNanos;
                made.flush();
            }
        }
        made.flush();
        collector.ack(tuple);
    }

    @Override
    public void cleanup() {
        transform.close();
        metrics.close();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(DeliveryBatch.FIELDS);
    }

    private boolean passes(Delivery read) {
        return parser.isCheckpoint(
                        read.content().key(),
                        read.content().value(),
                        read.content().headers())
                || parser.isTransformed(read.partition().topic());
    }

    private Delivery transformed(Delivery read) {
        LogRecord parsed = read.parsed(parser);
        TopicPartition partition = read.partition();
        InputEvent event = new InputEvent(partition.topic(), partition.partition(), read.offset(), read.content());
        try {
            return read.transformed(transform.run(event).contentFor(event), parsed);
        } catch (TransformFailure e) {
            report(read, e);
            return read;
        }
    }

    private void report(Delivery read, TransformFailure e) {
        failures.inc();
        metrics.transformFailed();
        collector.reportError(new IllegalStateException("the transform failed on " + read, e.getCause()));
        // Ever fewer: a transform that fails on every event must not fill the disk.
        if (Long.bitCount(failures.getCount()) == 1) {
            LOG.warn("the transform has failed {} times, now on {}", failures.getCount(), read, e);
        }
    }
}
