package dev.stormproof.task.metrics;

import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The metrics of one task, which add up with those of the worker's other tasks.
 *
 * <p>The task's thread counts; any thread reads.
 */
public final class TaskMetrics implements AutoCloseable {
    /** The name of {@link Metric#OTHER_SETTINGS} among a task's numbers. */
    public static final String OTHER_SETTINGS = "other-settings";

    private static final Set<Undelivered.Kind> UNDELIVERED =
            EnumSet.of(Undelivered.Kind.HALTED, Undelivered.Kind.DIVERTED);

    private static final Set<Finding.Type> VERDICTS =
            EnumSet.of(Finding.Type.VERIFIED, Finding.Type.INCONCLUSIVE, Finding.Type.VIOLATED);

    private final Counts counts;
    private final String group;
    private final LongSupplier nanoTime;
    private final Runnable ticked;
    private final Consumer<TaskMetrics> closed;
    private final Map<PartitionId, PartitionNumbers> partitions = new ConcurrentHashMap<>();
    private final Map<PartitionId, Long> unread = new ConcurrentHashMap<>();
    private volatile Map<String, Supplier<Number>> gauges = Map.of();
    private volatile Predicate<PartitionId> inputs = partition -> true;
    private volatile Optional<Topology> topology = Optional.empty();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong alarms = new AtomicLong();
    private volatile double delaySeconds;

    /**
     * The verifying tasks of a topology.
     *
     * @param tasks their configured number
     * @param verifies whether this task is one of them
     */
    public record Topology(int tasks, boolean verifies) {}

    /**
     * @param group the topology's consumer group
     * @param ticked is run at every {@link #tick}
     * @param closed takes this at {@link #close}
     */
    TaskMetrics(Counts counts, String group, LongSupplier nanoTime, Runnable ticked, Consumer<TaskMetrics> closed) {
        this.counts = counts;
        this.group = group;
        this.nanoTime = nanoTime;
        this.ticked = ticked;
        this.closed = closed;
    }

    /**
     * Shows numbers of the whole task, and counts it from now on.
     *
     * @param ofTask by their names in Storm
     * @param areInputs accepts the partitions that the input topics have now; others are not counted as partitions
     */
    public void show(Topology verifying, Map<String, Supplier<Number>> ofTask, Predicate<PartitionId> areInputs) {
        gauges = Map.copyOf(ofTask);
        inputs = areInputs;
        topology = Optional.of(verifying);
        counts.add(Metric.TRANSFORM_FAILURES, 0, group);
    }

    public PartitionNumbers of(PartitionId partition) {
        return partitions.computeIfAbsent(partition, this::begin);
    }

    /** Starts the counters of alarms at 0: Prometheus sees no increase in a counter that begins at 1. */
    private PartitionNumbers begin(PartitionId partition) {
        for (Finding.Type verdict : VERDICTS) {
            counts.add(Metric.VERDICTS, 0, group, partition, verdict.label());
        }
        for (Undelivered.Kind kind : UNDELIVERED) {
            counts.add(Metric.UNDELIVERED_EVENTS, 0, group, partition, EnumNames.of(kind));
        }
        counts.add(Metric.MISSED_RECORDS, 0, group, partition);
        counts.add(Metric.EVENTS, 0, group, partition);
        return new PartitionNumbers(nanoTime);
    }

    public void retain(Collection<PartitionId> kept) {
        // Neither a list nor Set.copyOf: hashes of partitions are consecutive, so that each lookup would be a search.
        partitions.keySet().retainAll(new HashSet<>(kept));
    }

    /** Takes how many events a verifier of a partition has read. */
    public void read(PartitionId partition, long eventsRead) {
        long more = of(partition).newEvents(eventsRead);
        if (more > 0) {
            events.addAndGet(more);
            counts.add(Metric.EVENTS, more, group, partition);
        }
    }

    /** Sets the number of unread records of each partition of a consumer, as far as the consumer knows it without asking a broker. */
    public void unreadOf(org.apache.kafka.clients.consumer.Consumer<?, ?> consumer) {
        Map<PartitionId, Long> records = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            consumer.currentLag(partition)
                    .ifPresent(lag -> records.put(new PartitionId(partition.topic(), partition.partition()), lag));
        }
        unread(records);
    }

    void unread(Map<PartitionId, Long> records) {
        unread.keySet().retainAll(records.keySet());
        unread.putAll(records);
    }

    public void transformFailed() {
        counts.add(Metric.TRANSFORM_FAILURES, 1, group);
    }

    /**
     * Counts a finding.
     *
     * @param first true if it is published, and no open one on its subject had its type
     * @param nowMillis the time, in milliseconds since 1970
     */
    public void found(Finding finding, boolean first, long nowMillis) {
        PartitionId partition = finding.partition();
        if (first && finding.type() != Finding.Type.VERIFIED) {
            alarms.incrementAndGet();
        }
        if (finding instanceof Verdict verdict) {
            of(partition).verdict();
            if (first) {
                counts.add(Metric.VERDICTS, 1, group, partition, verdict.type().label());
                delayed(verdict, nowMillis);
            }
            if (verdict instanceof Verified verified) {
                IntervalId interval = verified.interval();
                String strength = EnumNames.of(interval.seal().strength());
                counts.add(Metric.VERIFIED_EVENTS, interval.eventCount(), group, partition, strength);
            }
            if (verdict instanceof Violated violated && !violated.isOpen()) {
                anomalies(violated);
            }
        } else if (finding instanceof StrayRecord record) {
            counts.add(Metric.STRAY_RECORDS, record.count(), group, partition, EnumNames.of(record.kind()));
        } else if (finding instanceof MissedRecords expired) {
            counts.add(Metric.MISSED_RECORDS, expired.endOffset() - expired.beginOffset(), group, partition);
        } else if (finding instanceof Undelivered undelivered && UNDELIVERED.contains(undelivered.kind())) {
            counts.add(Metric.UNDELIVERED_EVENTS, 1, group, partition, EnumNames.of(undelivered.kind()));
        }
    }

    /** Takes a finding about the canary: it shows that the task judges, and is counted nowhere. */
    public void planted(Finding finding) {
        if (finding instanceof Verdict) {
            of(finding.partition()).verdict();
        }
    }

    private void delayed(Verdict verdict, long nowMillis) {
        long writtenMillis = verdict.interval().writtenMillis();
        if (writtenMillis >= 0) {
            delaySeconds = Math.max(0, nowMillis - writtenMillis) / 1_000.0;
            counts.delayed(group, verdict.type().label(), delaySeconds);
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
        byKind.forEach((kind, count) -> counts.add(Metric.ANOMALIES, count, group, violated.partition(), kind));
    }

    /** The task's metrics by their names in Storm. */
    public Map<String, Supplier<Number>> gauges() {
        Map<String, Supplier<Number>> ofTask = new HashMap<>();
        ofTask.put("events", events::get);
        ofTask.put("detection-delay-seconds", () -> delaySeconds);
        PartitionMetric.ALL.forEach(one ->
                one.metric().stormName().ifPresent(name -> ofTask.put(name, () -> one.over(partitions.values()))));
        return ofTask;
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

    String group() {
        return group;
    }

    /** The number of verified partitions of the inputs in each state. */
    Map<PartitionNumbers.State, Integer> states() {
        Map<PartitionNumbers.State, Integer> states = new EnumMap<>(PartitionNumbers.State.class);
        partitions.forEach((partition, numbers) -> {
            PartitionNumbers.State state = numbers.snapshot().state();
            if (state != null && inputs.test(partition)) {
                states.merge(state, 1, Integer::sum);
            }
        });
        return states;
    }

    long events() {
        return events.get();
    }

    /** The number of findings other than {@code verified}. */
    long alarms() {
        return alarms.get();
    }

    /** A number of the task; 0 if it shows none of that name. */
    double gauge(String stormName) {
        return gauges.getOrDefault(stormName, () -> 0).get().doubleValue();
    }

    /** The topology that it verifies for; empty if it does not. */
    Optional<Topology> topology() {
        return topology;
    }

    /** Has the worker try again to serve its metrics if no port was free; to be called regularly. */
    public void tick() {
        ticked.run();
    }

    @Override
    public void close() {
        closed.accept(this);
    }
}
