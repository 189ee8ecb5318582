package dev.stormproof.storm.spout;

import dev.stormproof.storm.tuple.Delivery;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of a spout's deliveries: the bolts, or a verification in the spout's own task.
 *
 * <p>Used by the spout's thread only.
 */
@FunctionalInterface
public interface Outlet extends Serializable {
    /** Every delivery becomes a tuple. */
    Outlet TO_BOLTS = delivery -> new Values(delivery);

    /** Takes the next delivery, and returns the tuple to emit; null if there is none. */
    @Nullable
    List<Object> take(Delivery delivery);

    /** Begins with the spout's task, before it reads anything or asks where to begin. */
    default void open(TopologyContext context, Consumer<Throwable> errors) {}

    /** Follows every poll of the spout, several times a second. */
    default void polled() {}

    /** Follows the deactivation of the spout: writes at once what waits, as there may be no further poll. */
    default void flush() {}

    /** Ends with the spout's task, even if it was never opened. */
    default void close() {}
}
