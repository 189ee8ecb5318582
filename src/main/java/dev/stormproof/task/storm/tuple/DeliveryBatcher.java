package dev.stormproof.task.storm.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers deliveries that follow each other in one partition, and hands them on as one batch.
 *
 * <p>It hands on before a delivery of another partition, at {@value #MAX_DELIVERIES} deliveries or {@value #MAX_BYTES} bytes, and on
 * {@link #flush}, which its task calls before it waits for anything.
 *
 * <p>For its task's thread only.
 */
public final class DeliveryBatcher {
    public static final int MAX_DELIVERIES = 32;

    private static final int MAX_BYTES = 65_536;

    private final Consumer<DeliveryBatch> next;
    private List<Delivery> gathered = new ArrayList<>(MAX_DELIVERIES);
    private long sizeBytes;

    public DeliveryBatcher(Consumer<DeliveryBatch> next) {
        this.next = next;
    }

    public void add(Delivery delivery) {
        if (!gathered.isEmpty() && !isOfOneTopic(gathered.get(0), delivery)) {
            flush();
        }
        gathered.add(delivery);
        sizeBytes += delivery.content().sizeBytes();
        if (gathered.size() >= MAX_DELIVERIES || sizeBytes >= MAX_BYTES) {
            flush();
        }
    }

    public void flush() {
        if (!gathered.isEmpty()) {
            DeliveryBatch batch = new DeliveryBatch(gathered);
            gathered = new ArrayList<>(MAX_DELIVERIES);
            sizeBytes = 0;
            next.accept(batch);
        }
    }

    private static boolean isOfOneTopic(Delivery first, Delivery second) {
        return first.partition().equals(second.partition()) && first.topicId() == second.topicId();
    }
}
