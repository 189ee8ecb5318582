package dev.stormproof.task.storm.testing;

import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;

/** Storm's own contexts and tuples, for parts that are tested without a cluster. */
public final class TestContexts {
    private static final String COMPONENT = "component";

    private TestContexts() {}

    /** The context of task {@code index} of {@code count}. */
    public static TopologyContext task(int index, int count) {
        return task(index, count, new StormMetricRegistry());
    }

    public static TopologyContext task(int index, int count, StormMetricRegistry metrics) {
        Map<Integer, String> components = new HashMap<>();
        List<Integer> tasks = new ArrayList<>();
        for (int task = 1; task <= count; task++) {
            components.put(task, COMPONENT);
            tasks.add(task);
        }
        return new TopologyContext(
                topology(),
                Map.of(Config.STORM_ID, "test-1", Config.TOPOLOGY_NAME, "test"),
                components,
                Map.of(COMPONENT, tasks),
                Map.of(COMPONENT, Map.of("default", DeliveryBatch.FIELDS)),
                Map.of(),
                "test-1",
                "",
                "",
                tasks.get(index),
                0,
                tasks,
                Map.of(),
                Map.of(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(),
                metrics);
    }

    /** A tuple that carries {@code deliveries}, as from the component upstream. */
    public static Tuple tuple(Delivery... deliveries) {
        return new TupleImpl(task(0, 1), new Values(batch(deliveries)), COMPONENT, 1, "default");
    }

    /** The batch of these. */
    public static DeliveryBatch batch(Delivery... deliveries) {
        List<DeliveryBatch> batches = new ArrayList<>();
        DeliveryBatcher batcher = new DeliveryBatcher(batches::add);
        for (Delivery delivery : deliveries) {
            batcher.add(delivery);
        }
        batcher.flush();
        if (batches.size() != 1) {
            throw new IllegalArgumentException(batches.size() + " batches");
        }
        return batches.get(0);
    }

    /** A component as it arrives on a worker. */
    public static <T extends Serializable> T onWorker(T component) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(component);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            @SuppressWarnings("unchecked")
            T copy = (T) in.readObject();
            return copy;
        }
    }

    private static StormTopology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setBolt(COMPONENT, new Nothing());
        return builder.createTopology();
    }

    private static final class Nothing extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(DeliveryBatch.FIELD));
        }
    }
}
