package dev.stormproof.storm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.storm.task.TopologyContext;

/** The note that KafkaSpout writes beside the offsets it commits, and that it warns about when it is another. */
final class SpoutMetadata {
    private SpoutMetadata() {}

    static String of(TopologyContext context) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("topologyId", context.getStormId())
                .put("taskId", context.getThisTaskId())
                .put("threadName", "stormproof")
                .toString();
    }
}
