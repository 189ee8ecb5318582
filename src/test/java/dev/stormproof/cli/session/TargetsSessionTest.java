package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.discovery.Announcement;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.metrics.TaskMetrics;
import dev.stormproof.metrics.WorkerMetrics;
import dev.stormproof.metrics.testing.Scrape;
import dev.stormproof.submit.Terminal;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The targets as Prometheus gets them, of tasks of this process. */
@OnKafka
@Timeout(120)
class TargetsSessionTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final String group = SharedKafka.unique("targets");
    private final AtomicLong nanos = new AtomicLong();
    private final StringWriter said = new StringWriter();
    private final StormproofConfig config;
    private final Connection connection;
    private final TargetsSession session;
    private final InetSocketAddress served;

    TargetsSessionTest(EmbeddedKafka kafka) {
        config = new StormproofConfig(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                group,
                "input.topics",
                "events",
                "alerts.topic",
                SharedKafka.createTopic(kafka, "alerts", 1),
                "metrics.http.port",
                "0"));
        connection = Connection.open(kafka.bootstrapServers(), null);
        session = new TargetsSession(connection, List.of(group), nanos::get);
        served = session.serve(new Dashboard.Listen("127.0.0.1", 0));
    }

    @AfterEach
    void close() {
        session.close();
        connection.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.getPort() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private void awaitList(String json) throws Exception {
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!session.read().equals(json) && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        assertThat(session.read()).isEqualTo(json);
    }

    private String listOf(int port) {
        return "[{\"targets\":[\"127.0.0.1:" + port + "\"],\"labels\":{\"__meta_stormproof_group\":\"" + group
                + "\"}}]";
    }

    private static int port() {
        return WorkerMetrics.ofThisProcess().served().orElseThrow().getPort();
    }

    @Test
    void aTaskIsATargetAsLongAsItIsThereAndWhereItIsThen() throws Exception {
        awaitList("[]");
        int first;
        try (TaskMetrics task = Announcement.task(config)) {
            task.tick();
            first = port();
            awaitList(listOf(first));
            assertThat(Scrape.of("127.0.0.1", first).names()).contains("stormproof_build_info");
        }
        // Before anybody has noticed that the first one is gone. Unless tasks of other tests are here, it is served
        // elsewhere now.
        try (TaskMetrics next = Announcement.task(config)) {
            next.tick();
            awaitList(listOf(port()));
        }
        awaitList("[]");
    }

    @Test
    void aListIsServedAsLongAsItIsFresh() throws Exception {
        assertThat(get("/targets").statusCode()).as("nothing is known yet").isEqualTo(503);

        session.refresh(Terminal.over(said));
        HttpResponse<String> fresh = get("/targets");
        assertThat(fresh.statusCode()).isEqualTo(200);
        assertThat(fresh.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(fresh.body()).isEqualTo("[]");
        assertThat(get("/").statusCode()).isEqualTo(404);

        nanos.addAndGet(Duration.ofMillis(TargetsSession.STALE_MILLIS + 1).toNanos());
        assertThat(get("/targets").statusCode())
                .as("Kafka has not answered since")
                .isEqualTo(503);
    }

    @Test
    void whatCannotBeReadIsSaidOnceAndReplacesNoList() throws Exception {
        session.refresh(Terminal.over(said));
        connection.close();

        session.refresh(Terminal.over(said));
        session.refresh(Terminal.over(said));

        assertThat(said.toString().lines())
                .singleElement()
                .asString()
                .startsWith("stormproof: the targets cannot be read: ");
        assertThat(get("/targets").body()).isEqualTo("[]");
    }
}
