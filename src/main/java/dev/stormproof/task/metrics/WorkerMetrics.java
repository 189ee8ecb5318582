package dev.stormproof.task.metrics;

import dev.stormproof.alert.http.AllowedHosts;
import dev.stormproof.alert.http.Answer;
import dev.stormproof.alert.http.PageServer;
import dev.stormproof.alert.http.Request;
import dev.stormproof.task.config.MetricsAddress;
import dev.stormproof.task.metrics.TaskMetrics.Topology;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.PartitionId;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of a worker: all of its tasks share one registry, which one server shows.
 *
 * <pre>
 *   task ─┐
 *   task ─┼─► registry ──► http://host:port/metrics ──► Prometheus
 *   task ─┘
 * </pre>
 *
 * <p>Several workers may run on one host, each with the first free port of a range. If none is free, perhaps because another worker is just
 * ending, it tries again every {@value #RETRY_SECONDS} s, and verification goes on. The server ends with the last task.
 *
 * <p>Any thread may use it.
 */
public final class WorkerMetrics {
    static final long RETRY_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(WorkerMetrics.class);
    private static final List<Metric> OF_OTHERS =
            List.of(Metric.CANARY_BLIND, Metric.CANARY_AGE, Metric.NOTARY_FAILING);
    private static final WorkerMetrics OF_THIS_PROCESS = new WorkerMetrics(System::nanoTime);

    private static final PrometheusTextFormatWriter TEXT = PrometheusTextFormatWriter.create();

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private static final String VERSION =
            ResourceBundle.getBundle("dev.stormproof.task.metrics.version").getString("version");

    private final Counts counts;
    private final Info build;
    private final Map<String, Supplier<Answer>> pages = new ConcurrentHashMap<>();
    private final Map<Metric, Supplier<Map<List<String>, Double>>> others = new ConcurrentHashMap<>();
    private final Set<TaskMetrics> tasks = new CopyOnWriteArraySet<>();
    private final LongSupplier nanoTime;
    private @Nullable MetricsAddress address;
    private @Nullable PageServer server;
    private long triedNanos;
    private final ReentrantLock making = new ReentrantLock();
    private volatile byte[] text = new byte[0];
    private long textNanos;

    public static WorkerMetrics ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    WorkerMetrics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.counts = new Counts(registry);
        PartitionMetric.ALL.forEach(one -> ofPartitions(one.metric(), task -> known(task, one)));
        ofPartitions(Metric.UNREAD_RECORDS, TaskMetrics::unread);
        ofGroups(Metric.AUDIT_JOBS, Double::sum);
        ofGroups(Metric.LOG_LAG, Double::sum);
        ofGroups(Metric.VERIFICATION_BYTES, Double::sum);
        ofGroups(Metric.OPEN_TRANSACTION, Math::max);
        ofGroups(Metric.KAFKA_SILENT, Math::max);
        ofGroups(Metric.INPUT_PARTITIONS, Math::max);
        ofGroups(Metric.KAFKA_REACHABLE, WorkerMetrics::reachable, Math::min);
        ofGroups(Metric.TASKS, (task, topology) -> topology.verifies() ? 1 : 0, Double::sum);
        ofGroups(Metric.EXPECTED_TASKS, (task, topology) -> topology.tasks(), Math::max);
        ofGroups(Metric.OTHER_SETTINGS, (task, topology) -> task.gauge(TaskMetrics.OTHER_SETTINGS), Math::max);
        ofStates();
        for (Metric metric : OF_OTHERS) {
            ofOthers(metric);
        }
        build = Metric.BUILD.describe(Info.builder()).register(registry);
    }

    /**
     * Begins to count for a task, and to serve if there is an address.
     *
     * @param wanted where to serve; the first one counts, as all tasks of a worker have the same
     * @param group the consumer group of the task's topology
     */
    public synchronized TaskMetrics task(Optional<MetricsAddress> wanted, String group) {
        build.addLabelValues(group, VERSION);
        TaskMetrics task = new TaskMetrics(counts, group, nanoTime, this::serve, this::remove);
        tasks.add(task);
        if (address == null && wanted.isPresent()) {
            address = wanted.get();
            tryPorts(address);
        }
        return task;
    }

    /**
     * Serves a page beside the metrics.
     *
     * @param path begins with a slash
     * @param answer may be called by several threads at once
     */
    public void page(String path, Supplier<Answer> answer) {
        pages.put(path, answer);
    }

    /**
     * Shows a metric that is no task's.
     *
     * @param values by the metric's labels, in their order; called at each scrape
     */
    public void show(Metric metric, Supplier<Map<List<String>, Double>> values) {
        others.put(metric, values);
    }

    public WorkerStatus status() {
        Map<PartitionId, PartitionNumbers> partitions = new HashMap<>();
        int verifying = 0;
        long events = 0;
        long alarms = 0;
        double silentSeconds = 0;
        boolean otherSettings = false;
        for (TaskMetrics task : tasks) {
            partitions.putAll(task.partitions());
            verifying += task.topology().filter(Topology::verifies).isPresent() ? 1 : 0;
            events += task.events();
            alarms += task.alarms();
            silentSeconds = Math.max(
                    silentSeconds, task.gauge(Metric.KAFKA_SILENT.stormName().orElseThrow()));
            otherSettings |= task.gauge(TaskMetrics.OTHER_SETTINGS) > 0;
        }
        List<PartitionNumbers> behind = partitions.values().stream()
                .filter(numbers -> numbers.verifiedOffset() == PartitionNumbers.UNKNOWN || numbers.lagRecords() > 0)
                .toList();
        return new WorkerStatus(
                verifying,
                partitions.size(),
                partitions.size() - behind.size(),
                behind.stream()
                        .mapToDouble(PartitionNumbers::verifiedSeconds)
                        .min()
                        .orElse(-1),
                behind.stream().mapToLong(PartitionNumbers::lagRecords).sum(),
                events,
                partitions.values().stream()
                        .mapToLong(numbers -> numbers.snapshot().openEvents())
                        .sum(),
                alarms,
                silentSeconds,
                otherSettings);
    }

    /** The address of the metrics; empty while they are not served. */
    public synchronized Optional<InetSocketAddress> served() {
        return Optional.ofNullable(server).map(PageServer::address);
    }

    synchronized int port() {
        return served().map(InetSocketAddress::getPort).orElse(-1);
    }

    private synchronized void serve() {
        if (address != null
                && server == null
                && nanoTime.getAsLong() - triedNanos >= TimeUnit.SECONDS.toNanos(RETRY_SECONDS)) {
            tryPorts(address);
        }
    }

    private synchronized void remove(TaskMetrics task) {
        if (tasks.remove(task) && tasks.isEmpty()) {
            address = null;
            if (server != null) {
                server.close();
                server = null;
            }
        }
    }

    private void tryPorts(MetricsAddress at) {
        triedNanos = nanoTime.getAsLong();
        List<String> refused = new ArrayList<>();
        for (int port = at.firstPort(); port <= at.lastPort(); port++) {
            try {
                InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(at.host()), port);
                server = PageServer.start(
                        "stormproof-metrics", address, new AllowedHosts(address, at.names()), this::answer);
                LOG.info("metrics are served at http://{}:{}/metrics", at.host(), port());
                return;
            } catch (IOException e) {
                refused.add(port + ": " + e.getMessage());
            }
        }
        LOG.warn("metrics cannot be served at {}, will try again: {}", at.host(), refused);
    }

    private Answer answer(Request request) {
        Supplier<Answer> page = pages.get(request.path());
        if (page != null) {
            return page.get();
        }
        if (!request.path().equals("/metrics")) {
            return Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "the metrics are at /metrics");
        }
        return Answer.of(HttpURLConnection.HTTP_OK, PrometheusTextFormatWriter.CONTENT_TYPE, text());
    }

    /** The metrics as they are now: made by one thread at a time, for all that ask before it begins. */
    private byte[] text() {
        long askedNanos = System.nanoTime();
        try {
            making.lockInterruptibly();
        } catch (InterruptedException e) { // Its client had to go.
            Thread.currentThread().interrupt();
            return text;
        }
        try {
            if (text.length == 0 || textNanos - askedNanos < 0) {
                textNanos = System.nanoTime();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                TEXT.write(out, registry.scrape());
                text = out.toByteArray();
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        } finally {
            making.unlock();
        }
    }

    private static Map<PartitionId, Double> known(TaskMetrics task, PartitionMetric metric) {
        Map<PartitionId, Double> known = new HashMap<>();
        task.partitions()
                .forEach((partition, numbers) ->
                        known.put(partition, metric.number().applyAsDouble(numbers)));
        known.values().removeIf(value -> value < 0);
        return known;
    }

    private static double reachable(TaskMetrics task, Topology topology) {
        return task.gauge(Metric.KAFKA_SILENT.stormName().orElseThrow()) > 0 ? 0 : 1;
    }

    /** A partition belongs to one task; if two have it for a moment, the greater number counts. */
    private void ofPartitions(Metric metric, Function<TaskMetrics, Map<PartitionId, ? extends Number>> numbers) {
        GaugeWithCallback unused = metric.describe(GaugeWithCallback.builder())
                .callback(taker -> {
                    Map<String, Map<PartitionId, Double>> groups = new HashMap<>();
                    tasks.forEach(task -> {
                        Map<PartitionId, Double> values =
                                groups.computeIfAbsent(task.group(), group -> new HashMap<>());
                        numbers.apply(task)
                                .forEach((partition, value) -> values.merge(partition, value.doubleValue(), Math::max));
                    });
                    groups.forEach((group, values) -> values.forEach((partition, value) ->
                            taker.call(value, group, partition.topic(), String.valueOf(partition.partition()))));
                })
                .register(registry);
    }

    private void ofGroups(Metric metric, DoubleBinaryOperator together) {
        String name = metric.stormName().orElseThrow();
        ofGroups(metric, (task, topology) -> task.gauge(name), together);
    }

    private void ofGroups(
            Metric metric, ToDoubleBiFunction<TaskMetrics, Topology> ofTask, DoubleBinaryOperator together) {
        GaugeWithCallback unused = metric.describe(GaugeWithCallback.builder())
                .callback(taker -> {
                    Map<String, Double> values = new HashMap<>();
                    tasks.forEach(task -> task.topology()
                            .ifPresent(topology -> values.merge(
                                    task.group(), ofTask.applyAsDouble(task, topology), together::applyAsDouble)));
                    values.forEach((group, value) -> taker.call(value, group));
                })
                .register(registry);
    }

    private void ofOthers(Metric metric) {
        GaugeWithCallback unused = metric.describe(GaugeWithCallback.builder())
                .callback(taker -> others.getOrDefault(metric, Map::of)
                        .get()
                        .forEach((labels, value) -> taker.call(value, labels.toArray(String[]::new))))
                .register(registry);
    }

    /** Shows every state of every group, also those without partitions, because a rule adds them up. */
    private void ofStates() {
        GaugeWithCallback unused = Metric.PARTITIONS
                .describe(GaugeWithCallback.builder())
                .callback(taker -> {
                    Map<String, Map<PartitionNumbers.State, Integer>> groups = new HashMap<>();
                    tasks.forEach(task -> task.topology().ifPresent(topology -> {
                        Map<PartitionNumbers.State, Integer> all = groups.computeIfAbsent(
                                task.group(), group -> new EnumMap<>(PartitionNumbers.State.class));
                        task.states().forEach((state, count) -> all.merge(state, count, Integer::sum));
                    }));
                    groups.forEach((group, all) -> {
                        for (PartitionNumbers.State state : PartitionNumbers.State.values()) {
                            taker.call(all.getOrDefault(state, 0), group, EnumNames.of(state));
                        }
                    });
                })
                .register(registry);
    }
}
