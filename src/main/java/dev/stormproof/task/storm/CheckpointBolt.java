package dev.stormproof.task.storm;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;
import org.jspecify.annotations.Nullable;

/**
 * The verifier in placement {@code bolt}: verifies what the transform bolt sends, and writes output, alerts and verified progress
 * to Kafka, see {@link DurableVerification}.
 *
 * <p>Storm ticks at most once a second, so a thread of its own flushes in between. The task's thread throws its failure with the next tuple
 * or tick.
 */
final class CheckpointBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final int TICK_SECONDS = 1;

    private final VerifyingTask verification;
    private final long flushIntervalMillis;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first.
    private transient OutputCollector collector;

    private transient @Nullable ScheduledExecutorService flusher;
    private transient volatile @Nullable RuntimeException flushFailure;

    CheckpointBolt(StormproofConfig config) {
        this.verification = new VerifyingTask(config);
        this.flushIntervalMillis = config.tasks.flushIntervalMillis();
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECONDS);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
        collector = output;
        verification.open(context, collector::reportError);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stormproof-flush-" + context.getThisTaskId());
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleWithFixedDelay(
                this::flush, flushIntervalMillis, flushIntervalMillis, TimeUnit.MILLISECONDS);
        flusher = timer;
    }

    @Override
    public void execute(Tuple tuple) {
        RuntimeException failure = flushFailure;
        if (failure != null) {
            throw failure;
        }
        synchronized (verification) {
            if (TupleUtils.isTick(tuple)) {
                verification.flush();
            } else {
                verification.take(DeliveryBatch.in(tuple));
            }
        }
        collector.ack(tuple);
    }

    private void flush() {
        synchronized (verification) {
            try {
                verification.flush();
            } catch (RuntimeException e) {
                flushFailure = e;
                throw e; // This ends the timer.
            }
        }
    }

    @Override
    public void cleanup() {
        if (flusher != null) {
            flusher.shutdownNow();
        }
        verification.close();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
