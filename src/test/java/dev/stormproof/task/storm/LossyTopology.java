package dev.stormproof.task.storm;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.spout.LogSpout;
import dev.stormproof.task.storm.spout.TupleOutlet;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.storm.tuple.PartitionPlacement;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * The verification topology with a bolt that loses tuples.
 *
 * <pre>
 *   events ──► transform ──► loss ──► checkpoint
 * </pre>
 */
public final class LossyTopology {
    private static final String LOSS = "loss";
    private static final AtomicLong LOST = new AtomicLong();

    private LossyTopology() {}

    /**
     * Builds it.
     *
     * @param lostOfThousand how many of a thousand tuples are lost
     * @param seed which ones
     */
    public static StormTopology build(StormproofConfig config, int lostOfThousand, long seed) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(VerificationTopology.EVENTS, LogSpout.of(config, new TupleOutlet()), config.tasks.spouts());
        builder.setBolt(VerificationTopology.TRANSFORM, new TransformBolt(config), config.tasks.transforms())
                .customGrouping(VerificationTopology.EVENTS, new PartitionPlacement());
        builder.setBolt(LOSS, new LosingBolt(lostOfThousand, seed), config.tasks.transforms())
                .customGrouping(VerificationTopology.TRANSFORM, new PartitionPlacement());
        builder.setBolt(VerificationTopology.CHECKPOINT, new CheckpointBolt(config), config.tasks.checkpoints())
                .customGrouping(LOSS, new PartitionPlacement());
        return builder.createTopology();
    }

    /** How many tuples were lost in this process. */
    static long lost() {
        return LOST.get();
    }

    private static final class LosingBolt extends BaseRichBolt {
        private static final long serialVersionUID = 1L;

        private final int lostOfThousand;
        private final long seed;

        @SuppressWarnings("NullAway.Init") // Storm calls prepare first, for this and what follows.
        private transient OutputCollector collector;

        @SuppressWarnings("NullAway.Init")
        private transient SplittableRandom random;

        LosingBolt(int lostOfThousand, long seed) {
            this.lostOfThousand = lostOfThousand;
            this.seed = seed;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
            random = new SplittableRandom(seed + context.getThisTaskIndex());
        }

        @Override
        public void execute(Tuple tuple) {
            if (random.nextInt(1_000) < lostOfThousand) {
                LOST.incrementAndGet();
            } else {
                collector.emit(tuple, new Values(DeliveryBatch.in(tuple)));
            }
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(DeliveryBatch.FIELDS);
        }
    }
}
