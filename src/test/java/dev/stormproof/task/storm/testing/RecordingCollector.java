package dev.stormproof.task.storm.testing;

import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import java.util.List;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.jspecify.annotations.Nullable;

/** Takes the deliveries that a spout emits; whatever else it does is a failure. */
public abstract class RecordingCollector implements ISpoutOutputCollector {
    /** Takes a delivery with its message id, which is null in unacked mode. */
    public abstract void take(Delivery delivery, @Nullable Object message);

    @Override
    public List<Integer> emit(String stream, List<Object> tuple, @Nullable Object message) {
        ((DeliveryBatch) tuple.get(0)).deliveries().forEach(delivery -> take(delivery, message));
        return List.of();
    }

    @Override
    public void emitDirect(int task, String stream, List<Object> tuple, Object message) {
        throw new AssertionError("emitted to task " + task + " instead of by the grouping");
    }

    @Override
    public void reportError(Throwable error) {
        throw new AssertionError(error);
    }

    @Override
    public void flush() {}

    @Override
    public long getPendingCount() {
        return 0;
    }
}
