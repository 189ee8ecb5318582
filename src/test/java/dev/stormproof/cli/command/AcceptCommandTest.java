package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** {@code accept} writes somebody's word beside an alert, and {@code alerts} counts it. */
@OnKafka
class AcceptCommandTest {
    private static final Alert OPEN = Findings.violated(0, 4, true, Findings.anomaly(Kind.LOST, 0, 417, 418));
    private static final Alert FINAL = Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 418));

    private final EmbeddedKafka kafka;
    private final String topic;

    AcceptCommandTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "alerts", 3);
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return SharedKafka.producer(kafka);
    }

    private void write(Alert... alerts) throws Exception {
        writeTo(1, alerts);
    }

    private void writeTo(int partition, Alert... alerts) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (Alert alert : alerts) {
                producer.send(new ProducerRecord<>(
                                topic, partition, alert.finding().id().getBytes(UTF_8), AlertJson.write(alert)))
                        .get();
            }
        }
    }

    private Shell.Result run(String command, String... options) {
        return Shell.line(
                command + " --bootstrap-server " + kafka.bootstrapServers() + " --alerts-topic " + topic, options);
    }

    private Shell.Result accept(String alert) {
        return run("alerts accept", alert, "--reason", "sent again", "--by", "alice");
    }

    @Test
    void anAcceptedAlertIsShownAndCountedAsAccepted() throws Exception {
        write(Findings.verified(0, 3), OPEN);
        Shell.Result early = accept(OPEN.finding().id()).ends(0);
        assertThat(early.err()).contains("not final", "has to be accepted as well");

        write(FINAL);
        assertThat(run("alerts", "--from-beginning", "--max-messages", "4").exitCode())
                .as("the verdict is open")
                .isEqualTo(ExitCode.VIOLATED);
        Shell.Result accepted = accept(FINAL.finding().id());
        assertThat(accepted.out()).startsWith("accepted, by alice: 1 event lost");
        assertThat(accepted.err()).isEmpty();

        String about = FINAL.finding().partition().topic();
        Shell.Result alerts = run("alerts", "--from-beginning", "--max-messages", "5", "--topic", about)
                .ends(ExitCode.ACCEPTED);
        assertThat(alerts.out())
                .contains(", not sealed yet")
                .contains("accepted by alice: " + FINAL.finding().id() + ", revision 2: sent again");
    }

    /** Just then somebody wants to accept one. */
    @Test
    void itEndsThoughAlertsComeAllTheTime() throws Exception {
        write(FINAL);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
            try (KafkaProducer<byte[], byte[]> producer = producer()) {
                while (!ended.get() && System.nanoTime() < deadlineNanos) {
                    producer.send(new ProducerRecord<>(topic, 1, null, AlertJson.write(OPEN)))
                            .get();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        try {
            accept(FINAL.finding().id()).ends(0);

            assertThat(writing).as("they still come").isNotDone();
        } finally {
            ended.set(true);
            writing.join();
        }
    }

    /** Partitions were added between the open alert and its verdict: who follows the first one's partition sees the other nowhere. */
    @Test
    void openOnesInOtherPartitionsAreAcceptedToo() throws Exception {
        writeTo(0, Findings.unsealed(0, 5), OPEN);
        writeTo(2, FINAL, Findings.verified(0, 5));

        accept(FINAL.finding().id()).ends(0);
        assertThat(acceptances(0)).containsExactly(FINAL.finding().id());
        assertThat(acceptances(1)).isEmpty();
        assertThat(acceptances(2)).containsExactly(FINAL.finding().id());

        String settled = Findings.verified(0, 5).finding().id();
        accept(settled).ends(0);
        assertThat(acceptances(0)).containsExactly(FINAL.finding().id(), settled);
        assertThat(acceptances(2))
                .as("taken back there")
                .containsExactly(FINAL.finding().id());
    }

    @Test
    void whatWasTakenBackNeedsNoAcceptance() throws Exception {
        write(Findings.unsealed(0, 5), Findings.verified(0, 5));
        Shell.Result result = accept(Findings.verified(0, 5).finding().id()).ends(ExitCode.USAGE);
        assertThat(result.err()).contains("has been taken back");
    }

    private List<String> acceptances(int partition) throws IOException {
        List<String> accepted = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, new TopicPartition(topic, partition))) {
            AlertSchema.check(record.value());
            if (AlertJson.readRecord(record.value()) instanceof Acceptance acceptance) {
                accepted.add(acceptance.alertId());
            }
        }
        return accepted;
    }

    @Test
    void whatIsNotThereCannotBeAccepted() throws Exception {
        write(FINAL);
        Shell.Result result = accept("t/0/0000000000000001/5").ends(ExitCode.USAGE);
        assertThat(result.err()).contains("holds no alert t/0/0000000000000001/5", "alerts --json");
    }

    @Test
    void nobodyAcceptsWithoutAReason() {
        for (String none : List.of(" ", "WHY")) {
            Shell.Result result =
                    run("alerts accept", "a", "--reason", none, "--by", "alice").ends(ExitCode.USAGE);
            assertThat(result.err()).contains("state why the alert is acceptable");
        }
    }
}
