package dev.stormproof.storm.spout;

import com.codahale.metrics.MetricSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;

/** A task's context that registers no metric sets and is otherwise what it was made of; for {@link LogSpout}. */
final class MetriclessContext extends TopologyContext {
    private MetriclessContext(
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

    static MetriclessContext of(TopologyContext original) {
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
        return new MetriclessContext(original, tasks, fields);
    }

    @Override
    public void registerMetricSet(String prefix, MetricSet set) {}
}
