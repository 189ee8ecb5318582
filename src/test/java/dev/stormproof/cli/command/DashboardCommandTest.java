package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.testing.Served;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** {@code dashboard} serves what lies in the topics of findings, and what comes. */
@OnKafka
class DashboardCommandTest {
    private final EmbeddedKafka kafka;

    DashboardCommandTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @Test
    void findingsAndTheLagOfTheirGroupAreServedAsTheyCome() throws Exception {
        String events = SharedKafka.createTopic(kafka, "t", 1);
        String alerts = SharedKafka.createTopic(kafka, "alerts", 1);
        String verdicts = alerts + "-verdicts";
        kafka.createTopic(verdicts, 1, Map.of());
        TopicPartition partition = new TopicPartition(events, 0);
        write(events, "1".getBytes(UTF_8), "2".getBytes(UTF_8), "3".getBytes(UTF_8));
        write(verdicts, AlertJson.write(Findings.verified(0, 3)));
        try (Shell.Running running = Shell.start(Shell.words("dashboard --bootstrap-server " + kafka.bootstrapServers()
                        + " --alerts-topic " + alerts + " --listen localhost:0"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            URI uri = Served.address(running.awaitOut("the dashboard is at "));
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                            .body())
                    .contains("<title>Stormproof</title>");
            JsonNode first = Served.awaitUpdate(
                    uri, update -> !update.at("/partitions/0").isMissingNode());
            assertThat(first.required("sentence").asText())
                    .startsWith(
                            "100 events of 't' are proven to have arrived once, in order, with key and value unaltered.");
            assertThat(first.required("scope").asText()).contains(alerts, verdicts);

            write(
                    alerts,
                    "nonsense".getBytes(UTF_8),
                    AlertJson.write(Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 418))));
            JsonNode second = Served.awaitUpdate(
                    uri, update -> update.required("verdict").asText().equals("violated"));
            assertThat(second.required("sentence").asText()).startsWith("1 of 200 events of 't' did not arrive");
            assertThat(running.awaitErr("is no alert")).contains(alerts + "-0@0 is no alert");

            // The group is the one that the findings name.
            admin.alterConsumerGroupOffsets("test", Map.of(partition, new OffsetAndMetadata(1)))
                    .all()
                    .get();
            JsonNode third = Served.awaitUpdate(
                    uri,
                    update -> update.required("partitions")
                            .findValuesAsText("end")
                            .contains("3"));
            assertThat(third.required("partitions").findValuesAsText("progress"))
                    .contains("1");
        }
    }

    @Test
    void eachGroupThatFindingsNameIsATopologyUpToABound() throws Exception {
        String alerts = SharedKafka.createTopic(kafka, "alerts", 1);
        byte[][] told = new byte[60][];
        for (int i = 0; i < told.length; i++) {
            told[i] = AlertJson.write(new Alert(
                    "/stormproof/check-" + i,
                    1,
                    Findings.violated(0, i, false, Findings.anomaly(Kind.LOST, 0, 100L * i, 100L * i + 1))
                            .finding()));
        }
        write(alerts, told);
        try (Shell.Running running = Shell.start(Shell.words("dashboard --bootstrap-server " + kafka.bootstrapServers()
                + " --alerts-topic " + alerts + " --group check-7 --listen localhost:0"))) {
            URI uri = Served.address(running.awaitOut("the dashboard is at "));

            // An update tells what changed since the one before it: the finding and the bound may come in two.
            AtomicBoolean violated = new AtomicBoolean();
            JsonNode first = Served.awaitUpdate(uri, update -> {
                if (update.at("/partitions/0/violated").asInt() == 1) {
                    violated.set(true);
                }
                return violated.get()
                        && update.required("scope")
                                .asText()
                                .endsWith("of more than 50 topologies the others are not shown");
            });
            assertThat(first.required("topologies"))
                    .hasSize(50)
                    .first()
                    .satisfies(group -> assertThat(group.asText()).isEqualTo("check-7"));
        }
    }

    @Test
    void whatCannotBeServedIsSaidAtOnce() throws Exception {
        String alerts = SharedKafka.createTopic(kafka, "alerts", 1);
        try (ServerSocket taken = new ServerSocket(0)) {
            Shell.Result result = Shell.line("dashboard --bootstrap-server " + kafka.bootstrapServers()
                            + " --alerts-topic " + alerts + " --listen 0.0.0.0:" + taken.getLocalPort())
                    .ends(ExitCode.USAGE);

            assertThat(result.err()).contains("nothing can listen at 0.0.0.0:" + taken.getLocalPort());
        }
        assertThat(Shell.here("dashboard", "--bootstrap-server", kafka.bootstrapServers(), "--alerts-topic", "no-such")
                        .err())
                .contains("there is no topic no-such");
    }

    private void write(String topic, byte[]... values) throws Exception {
        try (var producer = SharedKafka.producer(kafka)) {
            for (byte[] value : values) {
                producer.send(new ProducerRecord<>(topic, value)).get();
            }
        }
    }
}
