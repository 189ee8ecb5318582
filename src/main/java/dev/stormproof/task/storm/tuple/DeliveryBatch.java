package dev.stormproof.task.storm.tuple;

import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/**
 * Deliveries of one partition in their order, which travel as one tuple: Storm's work for a tuple costs more than any task's work for a
 * record.
 *
 * <p>The only field of every tuple; {@link DeliveryBatcher} makes it.
 */
public final class DeliveryBatch {
    public static final String FIELD = "deliveries";

    public static final Fields FIELDS = new Fields(FIELD);

    private final List<Delivery> deliveries;

    /** @param deliveries at least one, all of one partition and topic id; not copied */
    DeliveryBatch(List<Delivery> deliveries) {
        this.deliveries = deliveries;
    }

    /** The batch that a tuple carries. */
    public static DeliveryBatch in(Tuple tuple) {
        return (DeliveryBatch) tuple.getValue(0);
    }

    public TopicPartition partition() {
        return deliveries.get(0).partition();
    }

    long topicId() {
        return deliveries.get(0).topicId();
    }

    /** The deliveries in the order of the log; not to be changed. */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    @Override
    public String toString() {
        return deliveries.toString();
    }
}
