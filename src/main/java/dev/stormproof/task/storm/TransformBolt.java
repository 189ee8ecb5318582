package dev.stormproof.task.storm;

import com.codahale.metrics.Counter;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
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
 * The transform as a bolt: makes one value-added event of each event, in the same order, and lets checkpoints through unaltered.
 *
 * <p>Key and headers of an event stay as they are. It is parsed here, and the signature of the value that was read computed,
 * before the transform sees it; both travel with the event: the signature is the leaf of the tree. So an event whose value was altered on
 * the way while its header is intact will be found.
 *
 * <p>If the transform fails, the event goes on as it was read, and the failure goes to Storm and to a counter: one bad event
 * must neither stop the proof of all others nor vanish from it. An output tries the transform again and decides.
 */
final class TransformBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TransformBolt.class);

    /** What a slow transform has made for so long is handed on before the rest of its batch. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The properties of the file, so that references to secrets arrive at the workers as references. */
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
        transform =
                new TransformRunner(EventTransforms.named(config.output.transform()), 0, config.output.timeoutMillis());
        failures = context.registerCounter("transform-failures");
        metrics = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
        LOG.info("transforming with {}", config.output.transform());
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
        return parser.isCheckpoint(read.content().value(), read.content().headers())
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
        // The first and then ever fewer: a transform that fails on every event must not fill the disk.
        if (Long.bitCount(failures.getCount()) == 1) {
            LOG.warn("the transform has failed {} times, now on {}", failures.getCount(), read, e);
        }
    }
}
