package dev.stormproof.task.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * A number of each partition, which Prometheus shows by partition and Storm for all partitions of a task.
 *
 * @param number negative if it is unknown
 * @param together what the numbers of a task's partitions come to
 */
record PartitionMetric(Metric metric, ToDoubleFunction<PartitionNumbers> number, DoubleBinaryOperator together) {
    static final List<PartitionMetric> ALL = List.of(
            new PartitionMetric(Metric.SINCE_VERDICT, PartitionNumbers::secondsSinceVerdict, Math::max),
            new PartitionMetric(Metric.LAG_RECORDS, PartitionNumbers::lagRecords, Double::sum),
            new PartitionMetric(Metric.LAG_SECONDS, PartitionNumbers::lagSeconds, Math::max),
            new PartitionMetric(Metric.VERIFIED_OFFSET, PartitionNumbers::verifiedOffset, Math::max),
            new PartitionMetric(Metric.VERIFIED_TIME, PartitionNumbers::verifiedSeconds, Math::max),
            new PartitionMetric(Metric.OPEN_EVENTS, of -> of.snapshot().openEvents(), Double::sum),
            new PartitionMetric(Metric.OPEN_STREAMS, of -> of.snapshot().openStreams(), Double::sum),
            new PartitionMetric(Metric.SILENT_STREAMS, of -> of.snapshot().silentStreams(), Double::sum),
            new PartitionMetric(Metric.OUTPUT_HALTED, of -> of.snapshot().outputHalted(), Double::sum),
            new PartitionMetric(Metric.OUTPUT_HELD, of -> of.snapshot().heldEvents(), Double::sum),
            new PartitionMetric(Metric.OUTPUT_HELD_SECONDS, of -> of.snapshot().heldSeconds(), Math::max),
            new PartitionMetric(Metric.OUTPUT_UNVERIFIED, of -> of.snapshot().unverifiedEvents(), Double::sum));

    double over(Collection<PartitionNumbers> partitions) {
        return partitions.stream().mapToDouble(number).reduce(0, together);
    }
}
