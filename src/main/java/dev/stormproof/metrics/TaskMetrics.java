package dev.stormproof.metrics;

import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.EnumNames;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Undelivered;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Violated;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The numbers of one task, which add up with those of the worker's other tasks.
 *
 * <p>The task's thread counts; any thread reads.
 */
public final class TaskMetrics implements AutoCloseable {
    private static final Set<Undelivered.Kind> UNDELIVERED =
            EnumSet.of(Undelivered.Kind.HALTED, Undelivered.Kind.DIVERTED);

    private static final Set<Finding.Type> VERDICTS =
            EnumSet.of(Finding.Type.VERIFIED, Finding.Type.INCONCLUSIVE, Finding.Type.VIOLATED);

    private final Counts counts;
    private final LongSupplier nanoTime;
    private final Runnable ticked;
    private final Consumer<TaskMetrics> closed;
    private final Map<PartitionId, PartitionNumbers> partitions = new ConcurrentHashMap<>();
    private final Map<PartitionId, Long> unread = new ConcurrentHashMap<>();
    private volatile Map<String, Supplier<Number>> gauges = Map.of();
    private volatile Optional<Topology> topology = Optional.empty();
    private final AtomicLong events = new AtomicLong();
    private volatile double delaySeconds;

    /**
     * A topology, as far as its tasks are counted.
     *
     * @param group its consumer group, which is its own
     * @param tasks how many of them are configured to verify
     * @param verifies whether this is one of them; one that is not only watches
     */
    public record Topology(String group, int tasks, boolean verifies) {}

    /**
     * @param ticked follows every {@link #tick}
     * @param closed follows the end of it
     */
    TaskMetrics(Counts counts, LongSupplier nanoTime, Runnable ticked, Consumer<TaskMetrics> closed) {
        this.counts = counts;
        this.nanoTime = nanoTime;
        this.ticked = ticked;
        this.closed = closed;
    }

    /**
     * Shows numbers of the whole task, and counts it from now on.
     *
     * @param ofTask by the names that Storm has for them
     */
    public void show(Topology verifying, Map<String, Supplier<Number>> ofTask) {
        gauges = Map.copyOf(ofTask);
        topology = Optional.of(verifying);
    }

    /** The numbers of one partition. */
    public PartitionNumbers of(PartitionId partition) {
        return partitions.computeIfAbsent(partition, this::begin);
    }

    /** Counts from 0 on what alarms rest on: a count that begins at 1 is no increase to Prometheus. */
    private PartitionNumbers begin(PartitionId partition) {
        for (Finding.Type verdict : VERDICTS) {
            counts.add(Metric.VERDICTS, 0, partition, verdict.label());
        }
        for (Undelivered.Kind kind : UNDELIVERED) {
            counts.add(Metric.UNDELIVERED_EVENTS, 0, partition, EnumNames.of(kind));
        }
        counts.add(Metric.MISSED_RECORDS, 0, partition);
        counts.add(Metric.EVENTS, 0, partition);
        return new PartitionNumbers(nanoTime);
    }

    /** Forgets the partitions that are not among these. */
    public void retain(Collection<PartitionId> kept) {
        partitions.keySet().retainAll(kept);
    }

    /** Notes how many events a verifier of a partition has read. */
    public void read(PartitionId partition, long eventsRead) {
        long more = of(partition).newEvents(eventsRead);
        if (more > 0) {
            events.addAndGet(more);
            counts.add(Metric.EVENTS, more, partition);
        }
    }

    /** Notes how many records of each partition the spout has not read; of others it says nothing any more. */
    public void unread(Map<PartitionId, Long> records) {
        unread.keySet().retainAll(records.keySet());
        unread.putAll(records);
    }

    /** Counts an event on which the transform failed. */
    public void transformFailed() {
        counts.add(Metric.TRANSFORM_FAILURES, 1);
    }

    /**
     * Counts a finding.
     *
     * @param first true if it is the first revision of its subject
     * @param nowMillis the time, in milliseconds since 1970
     */
    public void found(Finding finding, boolean first, long nowMillis) {
        PartitionId partition = finding.partition();
        if (finding instanceof Verdict verdict) {
            of(partition).verdict();
            if (first) {
                counts.add(Metric.VERDICTS, 1, partition, verdict.type().label());
                delayed(verdict, nowMillis);
            }
            if (verdict instanceof Violated violated && !violated.provisional()) {
                anomalies(violated);
            }
        } else if (finding instanceof Unattributed record) {
            counts.add(Metric.STRAY_RECORDS, record.count(), partition, EnumNames.of(record.kind()));
        } else if (finding instanceof ExpiredUnread expired) {
            counts.add(Metric.MISSED_RECORDS, expired.endOffset() - expired.beginOffset(), partition);
        } else if (finding instanceof Undelivered undelivered && UNDELIVERED.contains(undelivered.kind())) {
            counts.add(Metric.UNDELIVERED_EVENTS, 1, partition, EnumNames.of(undelivered.kind()));
        }
    }

    private void delayed(Verdict verdict, long nowMillis) {
        long writtenMillis = verdict.interval().writtenMillis();
        if (writtenMillis >= 0) {
            delaySeconds = Math.max(0, nowMillis - writtenMillis) / 1_000.0;
            counts.delayed(verdict.type().label(), delaySeconds);
        }
    }

    private void anomalies(Violated violated) {
        Map<String, Long> byKind = new HashMap<>();
        for (Anomaly anomaly : violated.anomalies()) {
            byKind.merge(EnumNames.of(anomaly.kind()), anomaly.end() - anomaly.begin(), Long::sum);
        }
        long unnamed = violated.anomalyCount() - violated.anomalies().size();
        if (unnamed > 0) {
            byKind.put("unnamed", unnamed);
        }
        byKind.forEach((kind, count) -> counts.add(Metric.ANOMALIES, count, violated.partition(), kind));
    }

    /** The numbers that a task adds to Storm's metrics, by their names there. */
    public Map<String, Supplier<Number>> gauges() {
        return Map.of(
                "events", events::get,
                "detection-delay-seconds", () -> delaySeconds,
                "seconds-since-verdict", () -> most(PartitionNumbers::secondsSinceVerdict),
                "lag-records", () -> sum(PartitionNumbers::lagRecords),
                "lag-seconds", () -> most(PartitionNumbers::lagSeconds),
                "open-streams", () -> sum(PartitionNumbers::openStreams),
                "silent-streams", () -> sum(PartitionNumbers::silentStreams),
                "outputs-halted", () -> sum(PartitionNumbers::outputHalted));
    }

    /** The number of records that the spout has not read, over its partitions. */
    public long unreadRecords() {
        return unread.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<PartitionId, PartitionNumbers> partitions() {
        return partitions;
    }

    Map<PartitionId, Long> unread() {
        return unread;
    }

    /** A number of the task; 0 if it shows none of that name. */
    double gauge(String stormName) {
        return gauges.getOrDefault(stormName, () -> 0).get().doubleValue();
    }

    /** The topology that it verifies for; empty if it does not. */
    Optional<Topology> topology() {
        return topology;
    }

    /** Has the worker serve its metrics if a port was not free before; to be called now and then. */
    public void tick() {
        ticked.run();
    }

    @Override
    public void close() {
        closed.accept(this);
    }

    private double sum(ToDoubleFunction<PartitionNumbers> number) {
        return over(number, Double::sum);
    }

    private double most(ToDoubleFunction<PartitionNumbers> number) {
        return over(number, Math::max);
    }

    private double over(ToDoubleFunction<PartitionNumbers> number, DoubleBinaryOperator operator) {
        return partitions.values().stream().mapToDouble(number).reduce(0, operator);
    }
}
