package dev.stormproof.task.storm;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.storm.spout.LogSpout;
import dev.stormproof.task.storm.spout.TupleOutlet;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.storm.tuple.DeliveryBatchSerializer;
import dev.stormproof.task.storm.tuple.PartitionPlacement;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.topology.TopologyBuilder;

/**
 * The topology in verifying mode:
 *
 * <pre>
 *   events (LogSpout) ──► transform (TransformBolt) ──► checkpoint (CheckpointBolt) ──► alerts, progress
 * </pre>
 *
 * <p>or, with {@link TrackerPlacement#SOURCE}, all of it in the first:
 *
 * <pre>
 *   events (LogSpout with a VerifyingTask) ──► alerts, progress
 * </pre>
 *
 * <p>Every partition goes to one task of each bolt, see {@link PartitionPlacement}; nothing is shuffled. Tuples are not acked: records that are
 * lost on the way are read from the log.
 */
public final class VerificationTopology {
    public static final String EVENTS = "events";

    public static final String TRANSFORM = "transform";
    public static final String CHECKPOINT = "checkpoint";

    private static final int RECEIVE_BUFFER_BATCHES = 128;

    private VerificationTopology() {}

    public static StormTopology build(StormproofConfig config) {
        TopologyBuilder builder = new TopologyBuilder();
        if (config.tasks.placement() == TrackerPlacement.SOURCE) {
            builder.setSpout(EVENTS, LogSpout.of(config, new VerifyingTask(config)), config.tasks.spouts());
            return builder.createTopology();
        }
        builder.setSpout(EVENTS, LogSpout.of(config, new TupleOutlet()), config.tasks.spouts());
        builder.setBolt(TRANSFORM, new TransformBolt(config), config.tasks.transforms())
                .customGrouping(EVENTS, new PartitionPlacement());
        builder.setBolt(CHECKPOINT, new CheckpointBolt(config), config.tasks.checkpoints())
                .customGrouping(TRANSFORM, new PartitionPlacement());
        return builder.createTopology();
    }

    /** The settings of Storm that the topology needs. */
    public static Config stormConfig(StormproofConfig config) {
        Config storm = new Config();
        storm.setNumWorkers(config.tasks.workers());
        storm.setNumAckers(0);
        storm.registerSerialization(DeliveryBatch.class, DeliveryBatchSerializer.class);
        storm.setFallBackOnJavaSerialization(false);
        // Larger ones reorder tuples around a full queue and strand the last ones of a burst.
        storm.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 1);
        storm.put(Config.TOPOLOGY_TRANSFER_BATCH_SIZE, 1);
        // No limit, because a worker drops tuples beyond it; instead a full queue holds the sender back.
        storm.put(Config.TOPOLOGY_EXECUTOR_OVERFLOW_LIMIT, 0);
        // What may wait before a task, in batches: the default of 32768 would not fit into a worker.
        storm.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, RECEIVE_BUFFER_BATCHES);
        if (config.tasks.placement() == TrackerPlacement.SOURCE) {
            // Storm would let a spout that emits nothing sleep for a millisecond after every poll; it waits in its
            // polls.
            storm.put(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, WaitStrategyPark.class.getName());
            storm.put(Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, 0);
        }
        return storm;
    }
}
