package dev.stormproof.emit;

import dev.stormproof.checkpoint.CheckpointCodec;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The decisions of a real emitter's recovery, for logs that are not Kafka's. */
public final class RecoveryRig {
    private final Predecessors streams;

    public RecoveryRig(String topic, int partition, String name, LongPredicate isOwn) {
        this.streams = new Predecessors(topic, partition, name, isOwn);
    }

    /** The next record is read. */
    public void take(long offset, byte @Nullable [] event, byte @Nullable [] checkpoint, long nowNanos) {
        streams.take(offset, event, checkpoint, nowNanos);
    }

    /** The emitters whose ends are to be stated now, as {@link Recovery} asks for them after each poll. */
    public List<Long> due(long nowNanos, long deliveryNanos, long position, LongSupplier logEnd) {
        return streams.due(nowNanos, deliveryNanos, false, position, logEnd);
    }

    /** The checkpoint that states an end; empty if none can be stated. */
    public Optional<byte[]> state(long emitter, boolean withLeaves, long nowMillis, long nowNanos) {
        Optional<byte[]> end = streams.end(emitter, withLeaves, nowMillis).map(CheckpointCodec::encode);
        if (end.isPresent()) {
            streams.stated(emitter, nowNanos);
        } else {
            streams.giveUp(emitter);
        }
        return end;
    }
}
