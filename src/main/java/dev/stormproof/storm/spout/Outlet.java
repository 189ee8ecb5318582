package dev.stormproof.storm.spout;

import dev.stormproof.storm.tuple.Delivery;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/**
 * Where a spout's deliveries go: on to the bolts, or into a verification right there.
 *
 * <p>Used by the spout's thread only.
 */
public interface Outlet extends Serializable {
    /** Every delivery becomes a tuple. */
    Outlet TO_BOLTS = new ToBolts();

    /**
     * The spout's task begins; nothing was read yet, and no place to begin at was asked for.
     *
     * @param errors is told of trouble that lasts
     */
    void open(TopologyContext context, Consumer<Throwable> errors);

    /** Takes the next delivery, and returns the tuple to emit; null if there is none. */
    @Nullable
    List<Object> take(Delivery delivery);

    /** Comes whenever the spout was asked for a tuple, several times a second. */
    void asked();

    /** Nothing will come until the next {@link #take}: what is known now must not wait for it. */
    void rest();

    /** The spout's task ends; also if it was never opened. */
    void close();

    /** See {@link #TO_BOLTS}. */
    final class ToBolts implements Outlet {
        private static final long serialVersionUID = 1L;

        private ToBolts() {}

        @Override
        public void open(TopologyContext context, Consumer<Throwable> errors) {}

        @Override
        public List<Object> take(Delivery delivery) {
            return new Values(delivery);
        }

        @Override
        public void asked() {}

        @Override
        public void rest() {}

        @Override
        public void close() {}
    }
}
