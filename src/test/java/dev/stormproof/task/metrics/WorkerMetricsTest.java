package dev.stormproof.task.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.MetricsAddress;
import dev.stormproof.task.metrics.testing.Scrape;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker counts, as Prometheus reads it. */
class WorkerMetricsTest {
    private static final MetricsAddress ANY_PORT = new MetricsAddress("127.0.0.1", 0, 0, Set.of());
    private static final String GROUP = "orders-group";
    private static final TaskMetrics.Topology ORDERS = new TaskMetrics.Topology(3, true);
    private static final PartitionId PARTITION = new PartitionId("orders", 3);
    private static final IntervalId INTERVAL =
            Intervals.interval(new StreamId("orders", 3, 7), 5, 100, 50, 50, "billing", 1_700_000_000_000L, Seal.NONE);
    private static final Anomaly LOST =
            new Anomaly(Anomaly.Kind.LOST, INTERVAL.stream(), 60, 62, -1, 0, Hash.empty(), Hash.empty());

    private final AtomicLong nanos = new AtomicLong();
    private final WorkerMetrics worker = new WorkerMetrics(nanos::get);
    private final TaskMetrics task = worker.task(Optional.of(ANY_PORT), GROUP);

    @AfterEach
    void close() {
        task.close();
    }

    private Scrape scrape() throws Exception {
        return Scrape.of("127.0.0.1", worker.port());
    }

    private void assertServed(double value, String metric, String... labels) throws Exception {
        assertThat(scrape().value(metric, labels)).isEqualTo(value);
    }

    private static PartitionNumbers.Snapshot waiting(
            PartitionNumbers.@Nullable State state, long events, int open, int silent, int halted) {
        return new PartitionNumbers.Snapshot(state, events, open, silent, halted, 0, 0, 0);
    }

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void theStatusIsOfAllTasksAndOfThePartitionThatIsFurthestBehind() {
        task.show(
                ORDERS,
                Map.of("kafka-silent-seconds", () -> 3, TaskMetrics.OTHER_SETTINGS, () -> 1),
                partition -> true);
        TaskMetrics other = worker.task(Optional.empty(), GROUP);
        other.show(new TaskMetrics.Topology(3, false), Map.of(), partition -> true);
        reach(PARTITION, 90, 90, 70_000);
        reach(new PartitionId("orders", 4), 100, 60, 50_000);
        reach(new PartitionId("orders", 5), 100, 40, 40_000);
        task.of(PARTITION).show(waiting(null, 0, 0, 0, 0));
        task.of(new PartitionId("orders", 4)).show(waiting(null, 7, 1, 0, 0));
        task.read(PARTITION, 120);
        task.found(new MissedRecords(new PartitionId("orders", 3), 10, 25), true, 1);
        task.found(new MissedRecords(new PartitionId("orders", 3), 10, 25), false, 1);
        task.found(new Verified(INTERVAL, Verified.Basis.MATCH, 0), true, 1);

        assertThat(worker.status()).isEqualTo(new WorkerStatus(1, 3, 1, 40, 100, 120, 7, 1, 3, true));

        task.of(new PartitionId("orders", 6));
        assertThat(worker.status().atEnd()).isEqualTo(1);
        assertThat(worker.status().verifiedSeconds()).isNegative();
        other.close();
    }

    private void reach(PartitionId partition, long delivered, long progress, long writtenMillis) {
        task.of(partition).reached(delivered, progress);
        task.of(partition).read(progress, progress, writtenMillis, writtenMillis);
    }

    @Test
    void findingsAreCountedByVerdictAndKind() throws Exception {
        long now = INTERVAL.writtenMillis() + 700;
        task.found(new Verified(INTERVAL, Verified.Basis.MATCH, 0), true, now);
        task.found(new Inconclusive(INTERVAL, Inconclusive.Reason.EXPIRED, ""), true, now);
        task.found(new Violated(INTERVAL, true, true, 1, List.of(LOST), Hop.LOG), true, now);
        task.found(new Violated(INTERVAL, true, 5, List.of(LOST, LOST)), false, now + 60_000);
        task.found(
                new StrayRecord(
                        new PartitionId("orders", 3), 9, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME),
                true,
                now);
        task.found(new MissedRecords(new PartitionId("orders", 3), 10, 25), true, now);
        task.found(new Undelivered(PARTITION, 9, Undelivered.Kind.HALTED, "", -1), true, now);
        task.transformFailed();

        Scrape scrape = scrape();

        for (String verdict : List.of("verified", "inconclusive", "violated")) {
            assertThat(scrape.value(
                            "stormproof_verdicts_total", "verdict", verdict, "topic", "orders", "partition", "3"))
                    .as("a verdict on what was open is no other one")
                    .isEqualTo(1);
            assertThat(scrape.value("stormproof_detection_delay_seconds_sum", "verdict", verdict))
                    .isEqualTo(0.7, within(1e-9));
        }
        assertThat(scrape.value("stormproof_anomalies_total", "kind", "lost", "topic", "orders", "partition", "3"))
                .as("two ranges of two events, of the verdict alone")
                .isEqualTo(4);
        assertThat(scrape.value("stormproof_anomalies_total", "kind", "unnamed"))
                .isEqualTo(3);
        assertThat(scrape.value("stormproof_stray_records_total", "kind", "unsigned"))
                .isEqualTo(1);
        assertThat(scrape.value("stormproof_missed_records_total", "topic", "orders"))
                .isEqualTo(15);
        assertThat(scrape.value("stormproof_undelivered_events_total", "kind", "halted"))
                .isEqualTo(1);
        assertThat(scrape.value("stormproof_transform_failures_total")).isEqualTo(1);
    }

    @Test
    void anOutputIsHaltedUntilItGoesOn() throws Exception {
        task.of(PARTITION).show(waiting(null, 0, 0, 0, 0));
        assertServed(0, "stormproof_output_halted", "topic", "orders", "partition", "3");
        task.of(PARTITION).show(waiting(null, 0, 0, 0, 1));
        assertServed(1, "stormproof_output_halted", "topic", "orders", "partition", "3");
        task.found(new Undelivered(PARTITION, 9, Undelivered.Kind.RESUMED, "", -1), false, 1);
        task.of(PARTITION).show(waiting(null, 0, 0, 0, 0));
        assertServed(0, "stormproof_output_halted", "topic", "orders", "partition", "3");
    }

    /** Prometheus sees an increase only of what it saw before. */
    @Test
    void whatAlarmsRestOnIsCountedFromZeroOn() throws Exception {
        task.read(PARTITION, 1);
        for (String verdict : List.of("verified", "inconclusive", "violated")) {
            assertServed(0, "stormproof_verdicts_total", "verdict", verdict, "topic", "orders");
        }
        assertServed(0, "stormproof_missed_records_total", "topic", "orders");
        assertServed(0, "stormproof_undelivered_events_total", "kind", "halted");
    }

    @Test
    void theOldestRecordThatWaitsSaysHowFarVerificationIsBehind() throws Exception {
        PartitionNumbers numbers = task.of(PARTITION);
        numbers.reached(100, 100);
        assertServed(0, "stormproof_lag_seconds", "topic", "orders");

        numbers.reached(150, 100);
        pass(2_000);
        numbers.reached(180, 100);
        pass(3_000);
        assertServed(80, "stormproof_lag_records", "partition", "3");
        assertServed(5, "stormproof_lag_seconds", "partition", "3");

        numbers.reached(180, 149);
        assertServed(5, "stormproof_lag_seconds", "partition", "3");
        numbers.reached(180, 150);
        assertServed(3, "stormproof_lag_seconds", "partition", "3");
        numbers.reached(180, 180);
        pass(60_000);
        assertServed(0, "stormproof_lag_seconds", "partition", "3");
        assertServed(0, "stormproof_lag_records", "partition", "3");
    }

    /** As long as nothing is decided, which may be days, the memory does not grow, and the lag does. */
    @Test
    void marksAreBounded() {
        PartitionNumbers numbers = task.of(PARTITION);
        for (int second = 1; second <= 2 * PartitionNumbers.MOST_MARKS; second++) {
            numbers.reached(second, 0);
            pass(1_000);
        }
        assertThat(numbers.lagSeconds()).isEqualTo(2.0 * PartitionNumbers.MOST_MARKS);
        numbers.reached(2L * PartitionNumbers.MOST_MARKS, PartitionNumbers.MOST_MARKS);
        numbers.reached(2L * PartitionNumbers.MOST_MARKS, PartitionNumbers.MOST_MARKS);
        assertThat(numbers.lagSeconds()).isLessThan(2.0 * PartitionNumbers.MOST_MARKS);
    }

    @Test
    void theSecondsSinceTheLastVerdictGrowEvenIfTheTaskHangs() throws Exception {
        task.found(new Verified(INTERVAL, Verified.Basis.MATCH, 0), true, 0);
        pass(4_500);
        assertServed(4.5, "stormproof_seconds_since_verdict", "topic", "orders");
        assertThat(Objects.requireNonNull(task.gauges().get("seconds-since-verdict"))
                        .get()
                        .doubleValue())
                .isEqualTo(4.5);
    }

    @Test
    void theTasksOfAWorkerShareOnePortAndAddUp() throws Exception {
        try (TaskMetrics other = worker.task(Optional.of(ANY_PORT), GROUP)) {
            task.show(ORDERS, Map.of("audit-jobs", () -> 2, "open-transaction-seconds", () -> 5), partition -> true);
            other.show(ORDERS, Map.of("audit-jobs", () -> 3, "open-transaction-seconds", () -> 4), partition -> true);
            task.read(PARTITION, 10);
            other.read(new PartitionId("orders", 4), 20);
            task.read(PARTITION, 15);
            task.of(PARTITION).show(waiting(null, 70, 3, 1, 0));
            other.unread(Map.of(PARTITION, 42L));

            Scrape scrape = scrape();

            assertThat(scrape.value("stormproof_tasks", "group", "orders-group"))
                    .isEqualTo(2);
            assertThat(scrape.value("stormproof_expected_tasks", "group", "orders-group"))
                    .isEqualTo(3);
            assertThat(scrape.value("stormproof_audit_jobs")).isEqualTo(5);
            assertThat(scrape.value("stormproof_open_transaction_seconds")).isEqualTo(5);
            assertThat(scrape.value("stormproof_events_total", "partition", "3"))
                    .isEqualTo(15);
            assertThat(scrape.value("stormproof_events_total", "partition", "4"))
                    .isEqualTo(20);
            assertThat(scrape.value("stormproof_open_streams", "partition", "3"))
                    .isEqualTo(3);
            assertThat(scrape.value("stormproof_open_events", "partition", "3")).isEqualTo(70);
            assertThat(scrape.value("stormproof_silent_streams", "partition", "3"))
                    .isEqualTo(1);
            assertThat(scrape.value("stormproof_unread_records", "partition", "3"))
                    .isEqualTo(42);
        }
        assertThat(scrape().value("stormproof_tasks"))
                .as("the port stays with the other task")
                .isEqualTo(1);
    }

    /** Two topologies in one process, as a local run may have them. */
    @Test
    void theTasksOfEachTopologyAreCountedApart() throws Exception {
        try (TaskMetrics other = worker.task(Optional.of(ANY_PORT), "payments")) {
            assertThat(scrape().text()).doesNotContain("stormproof_tasks{");
            task.show(ORDERS, Map.of(), partition -> true);
            other.show(new TaskMetrics.Topology(1, true), Map.of(), partition -> true);
            task.of(PARTITION).reached(10, 5);
            other.of(PARTITION).reached(30, 5);

            assertServed(1, "stormproof_tasks", "group", "orders-group");
            assertServed(3, "stormproof_expected_tasks", "group", "orders-group");
            assertServed(1, "stormproof_expected_tasks", "group", "payments");
            assertThat(scrape().value("stormproof_lag_records", "group", "orders-group"))
                    .as("both may verify one topic")
                    .isEqualTo(5);
            assertServed(25, "stormproof_lag_records", "group", "payments");
        }
    }

    @Test
    void aPartitionThatAnotherTaskTookOverIsThereOnce() throws Exception {
        try (TaskMetrics successor = worker.task(Optional.empty(), GROUP)) {
            task.of(PARTITION).reached(10, 5);
            successor.of(PARTITION).reached(30, 5);
            assertServed(25, "stormproof_lag_records", "partition", "3");
        }
        task.retain(List.of());
        assertThat(scrape().text()).doesNotContain("stormproof_lag_records{");
    }

    /** A verifier that reads a partition once more begins to count at 0: what Prometheus sees only grows. */
    @Test
    void aVerifierThatBeginsAnewAddsToTheCount() throws Exception {
        task.read(PARTITION, 10);
        task.read(PARTITION, 4);
        task.read(PARTITION, 6);
        assertServed(16, "stormproof_events_total", "partition", "3");
    }

    @Test
    void aPortThatIsNotFreeIsTriedAgainAndVerificationGoesOn() throws Exception {
        WorkerMetrics late = new WorkerMetrics(nanos::get);
        TaskMetrics ofLate;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ofLate = late.task(
                    Optional.of(new MetricsAddress("127.0.0.1", taken.getLocalPort(), taken.getLocalPort(), Set.of())),
                    GROUP);
            pass(TimeUnit.SECONDS.toMillis(WorkerMetrics.RETRY_SECONDS));
            ofLate.tick();
            assertThat(late.port()).isEqualTo(-1);
        }
        ofLate.tick();
        assertThat(late.port()).as("not every second").isEqualTo(-1);
        pass(TimeUnit.SECONDS.toMillis(WorkerMetrics.RETRY_SECONDS));
        ofLate.tick();
        assertThat(late.port()).isPositive();
        ofLate.close();
        assertThat(late.port()).as("with the last task it ends").isEqualTo(-1);
    }

    /** So that however many ask at once, their making takes the memory and the time of one. */
    @Test
    void metricsAreMadeOnceForAllThatAskMeanwhile() throws Exception {
        int clients = 20;
        CountDownLatch allAsked = new CountDownLatch(1);
        AtomicInteger made = madeAfter(allAsked);
        HttpRequest request = HttpRequest.newBuilder(page("/metrics")).build();
        List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                        () -> HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .limit(clients)
                .toList();
        while (askingThreads() < clients) {
            Thread.onSpinWait();
        }
        allAsked.countDown();

        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().body()).contains("stormproof_canary_seconds");
        }
        assertThat(made.get())
                .as("who asked first may have got what was begun before")
                .isBetween(1, 2);
    }

    /** How often metrics were made, which from now on goes on after something else alone. */
    private AtomicInteger madeAfter(CountDownLatch other) {
        AtomicInteger made = new AtomicInteger();
        worker.show(Metric.CANARY_AGE, () -> {
            made.incrementAndGet();
            while (other.getCount() > 0) {
                Thread.onSpinWait();
            }
            return Map.of(List.of(GROUP), 1.0);
        });
        return made;
    }

    private URI page(String path) {
        return URI.create("http://127.0.0.1:" + worker.port() + path);
    }

    private static long askingThreads() {
        return Thread.getAllStackTraces().values().stream()
                .filter(frames -> Stream.of(frames)
                        .anyMatch(frame -> frame.getClassName().equals(WorkerMetrics.class.getName())
                                && frame.getMethodName().equals("answer")))
                .count();
    }

    @Test
    void withoutAnAddressNothingIsServed() {
        WorkerMetrics silent = new WorkerMetrics(nanos::get);
        try (TaskMetrics ofSilent = silent.task(Optional.empty(), GROUP)) {
            pass(TimeUnit.SECONDS.toMillis(WorkerMetrics.RETRY_SECONDS));
            ofSilent.tick();
            assertThat(silent.port()).isEqualTo(-1);
        }
    }

    @Test
    void theTableIsWhatIsServedAndItsLabelsAreFew() throws Exception {
        findingsAreCountedByVerdictAndKind();
        task.show(ORDERS, Map.of(), partition -> true);
        task.of(PARTITION).reached(2, 1);
        task.of(PARTITION).read(2, 1, 1_000, 2_000);
        task.read(PARTITION, 1);
        task.unread(Map.of(PARTITION, 1L));
        for (Metric metric : List.of(Metric.CANARY_BLIND, Metric.CANARY_AGE)) {
            worker.show(metric, () -> Map.of(List.of(GROUP), 1.0));
        }
        worker.show(Metric.NOTARY_FAILING, () -> Map.of(List.of(GROUP, "orders", "0"), 1.0));
        Scrape scrape = scrape();
        for (Metric metric : Metric.values()) {
            assertThat(scrape.labels(metric.prometheusName()))
                    .as(metric.prometheusName())
                    .isEqualTo(Set.copyOf(metric.labels()));
            assertThat(metric.labels())
                    .contains("group")
                    .isSubsetOf("topic", "partition", "kind", "verdict", "group", "state", "strength", "version");
        }
        assertThat(scrape.names())
                .hasSameElementsAs(
                        Stream.of(Metric.values()).map(Metric::prometheusName).toList());
    }

    @Test
    void verifiedUpToIsTheTimeOfARecordBeforeTheProgress() throws Exception {
        PartitionNumbers numbers = task.of(PARTITION);
        numbers.read(100, 100, -1, -1);
        assertThat(scrape().text())
                .as("of no record the time is known")
                .doesNotContain("stormproof_verified_time_seconds{");

        numbers.read(150, 100, 1_000_000, 1_005_000);
        assertServed(100, "stormproof_verified_offset", "topic", "orders");
        assertThat(scrape().value("stormproof_verified_time_seconds", "topic", "orders"))
                .as("what lies before the first record that was read is older")
                .isEqualTo(1_000);

        numbers.read(180, 149, 1_000_000, 1_009_000);
        assertServed(1_000, "stormproof_verified_time_seconds", "topic", "orders");
        numbers.read(180, 151, 1_000_000, 1_009_000);
        assertServed(1_005, "stormproof_verified_time_seconds", "topic", "orders");
        numbers.read(180, 180, 1_000_000, 1_009_000);
        assertServed(1_009, "stormproof_verified_time_seconds", "topic", "orders");
    }

    /** A truncated log is written on from an earlier offset: what was read behind it says nothing of what stands there now. */
    @Test
    void aTruncationForgetsTheTimesBehindIt() throws Exception {
        PartitionNumbers numbers = task.of(PARTITION);
        numbers.read(100, 10, 1_000_000, 1_005_000);
        numbers.read(200, 10, 1_000_000, 1_009_000);
        numbers.read(120, 10, 1_000_000, 1_002_000);
        numbers.read(120, 120, 1_000_000, 1_002_000);
        assertServed(1_002, "stormproof_verified_time_seconds", "topic", "orders");
    }

    @Test
    void everyPartitionOfTheInputsIsInOneState() throws Exception {
        PartitionId gone = new PartitionId("deleted", 0);
        task.show(ORDERS, Map.of(), partition -> !partition.equals(gone));
        task.of(gone).show(waiting(PartitionNumbers.State.FOLLOWING, 0, 0, 0, 0));
        task.of(PARTITION).show(waiting(PartitionNumbers.State.FOLLOWING, 0, 0, 0, 0));
        task.of(new PartitionId("orders", 4)).show(waiting(PartitionNumbers.State.HALTED, 0, 0, 0, 0));
        task.of(new PartitionId("orders", 5));
        try (TaskMetrics other = worker.task(Optional.empty(), GROUP)) {
            other.show(ORDERS, Map.of(), partition -> true);
            other.of(new PartitionId("orders", 6)).show(waiting(PartitionNumbers.State.FOLLOWING, 0, 0, 0, 0));
            assertServed(2, "stormproof_partitions", "group", GROUP, "state", "following");
            assertServed(1, "stormproof_partitions", "group", GROUP, "state", "halted");
            for (String state : List.of("reading", "failing")) {
                assertThat(scrape().value("stormproof_partitions", "group", GROUP, "state", state))
                        .as("a sum of nothing would be nothing, and no 0")
                        .isZero();
            }
        }
    }

    @Test
    void kafkaIsReachableIfItAnswersEveryTask() throws Exception {
        try (TaskMetrics other = worker.task(Optional.empty(), GROUP)) {
            task.show(ORDERS, Map.of("kafka-silent-seconds", () -> 0), partition -> true);
            other.show(ORDERS, Map.of("kafka-silent-seconds", () -> 0), partition -> true);
            assertServed(1, "stormproof_kafka_reachable", "group", GROUP);
            other.show(ORDERS, Map.of("kafka-silent-seconds", () -> 12), partition -> true);
            assertServed(0, "stormproof_kafka_reachable", "group", GROUP);
            assertServed(12, "stormproof_kafka_silent_seconds", "group", GROUP);
        }
    }

    @Test
    void verifiedEventsAreCountedByWhatTheirSealsProtectAgainst() throws Exception {
        IntervalId strong = Intervals.interval(
                INTERVAL.stream(),
                6,
                150,
                100,
                30,
                "billing",
                1_700_000_000_000L,
                new Seal(Protection.TAMPERING, Hash.fromHex("00ff"), Hash.empty(), "key"));
        task.found(new Verified(INTERVAL, Verified.Basis.MATCH, 0), true, 0);
        task.found(new Verified(strong, Verified.Basis.MATCH, 0), true, 0);
        assertServed(50, "stormproof_verified_events_total", "strength", "accidents");
        assertServed(30, "stormproof_verified_events_total", "strength", "tampering");
    }

    @Test
    void aTopicsNameCannotBreakTheText() throws Exception {
        task.read(new PartitionId("a\"b\\c\nd", 0), 1);
        assertThat(scrape().text()).contains("topic=\"a\\\"b\\\\c\\nd\"");
        assertThat(Collections.frequency(scrape().text().lines().toList(), "d\"} 1.0"))
                .isZero();
    }
}
