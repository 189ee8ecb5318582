package dev.stormproof.verify.judge;

import java.io.Serializable;
import java.util.Comparator;

/** A partition of a topic, counted from 0; ordered by topic, then by number. */
public record PartitionId(String topic, int partition) implements Comparable<PartitionId>, Serializable {
    private static final Comparator<PartitionId> ORDER =
            Comparator.comparing(PartitionId::topic).thenComparingInt(PartitionId::partition);

    @Override
    public int compareTo(PartitionId other) {
        return ORDER.compare(this, other);
    }

    /** The partition in texts: {@code orders-3}. */
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
