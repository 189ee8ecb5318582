package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.live.DurableVerification;
import dev.stormproof.storm.tuple.Delivery;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/**
 * System C in placement {@code bolt}: verifies what the transform bolt sends, and writes alerts and verified progress to
 * Kafka, see {@link DurableVerification}.
 */
final class CheckpointBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private final VerifyingTask verification;
    private final int tickSeconds;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first.
    private transient OutputCollector collector;

    CheckpointBolt(StormproofConfig config) {
        this.verification = new VerifyingTask(config);
        this.tickSeconds = config.flushIntervalSeconds();
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, tickSeconds);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
        collector = output;
        verification.open(context, collector::reportError);
    }

    @Override
    public void execute(Tuple tuple) {
        if (TupleUtils.isTick(tuple)) {
            verification.flush();
        } else {
            verification.take(Delivery.in(tuple));
        }
        collector.ack(tuple);
    }

    @Override
    public void cleanup() {
        verification.close();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
