package dev.stormproof.task.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.metrics.testing.Scrape;
import dev.stormproof.verify.judge.Verdict;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.tools.consumer.group.ConsumerGroupCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What changes under a topology while it runs, and what an operator sees of it. One topology serves all tests. */
@Tag(Stages.CLUSTER)
@OnKafka
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class RunningTopologyTest {
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final String prefix = SharedKafka.unique("running");
    private final String group = SharedKafka.unique("group-of-running");
    private LocalRun run;
    private KafkaConsumer<byte[], byte[]> consumer;

    RunningTopologyTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @BeforeAll
    void start() throws Exception {
        String verdictsTopic = SharedKafka.createTopic(kafka, "verdicts-of-running", 1);
        run = LocalRun.start(
                "running",
                new StormproofConfig(Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "input.topics.pattern",
                        prefix + "-.*",
                        "group.id",
                        group,
                        "alerts.topic",
                        SharedKafka.createTopic(kafka, "alerts-of-running", 2),
                        "verdicts.topic",
                        verdictsTopic,
                        "spout.tasks",
                        "2",
                        "transform.tasks",
                        "2",
                        "checkpoint.tasks",
                        "2",
                        "metrics.http.port",
                        "0")));
        consumer = SharedKafka.consumer(kafka, "isolation.level", "read_committed", "auto.offset.reset", "earliest");
        consumer.assign(List.of(new TopicPartition(verdictsTopic, 0)));
    }

    @AfterAll
    void stop() {
        consumer.close();
        run.close();
    }

    @Test
    void theWorkerServesTheTopologysTasks() throws Exception {
        String ofTheTopology = "stormproof_expected_tasks{group=\"" + group + "\"} 2.0\n";

        await(() -> WorkerMetrics.ofThisProcess()
                .served()
                .filter(address -> Scrape.isServed(address.getPort(), ofTheTopology))
                .isPresent());
    }

    @Test
    void kafkasOwnToolForConsumerGroupsShowsHowFarVerificationLagsBehind() throws Exception {
        String topic = newTopic("lag");
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, 4 * EVERY + 5, EVERY, Map.of());
        ProducerRecord<byte[], byte[]> closing = log.remove(log.size() - 1);
        SharedKafka.send(kafka, log);

        // The last five events wait for their checkpoint.
        awaitLag(topic, 5);
        SharedKafka.send(kafka, List.of(closing));
        awaitLag(topic, 0);
    }

    private void awaitLag(String topic, long lag) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
        String shown = describedGroup();
        while (!shown.lines().anyMatch(line -> isLag(line, topic, lag))) {
            assertThat(System.nanoTime()).as("lag of %s: %s", topic, shown).isLessThan(deadlineNanos);
            shown = describedGroup();
        }
    }

    /** GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG … */
    private boolean isLag(String line, String topic, long lag) {
        List<String> columns = List.of(line.trim().split("\\s+", -1));
        return columns.size() > 5
                && columns.get(0).equals(group)
                && columns.get(1).equals(topic)
                && columns.get(5).equals(Long.toString(lag));
    }

    /** What {@code kafka-consumer-groups.sh --describe} prints, run as a person runs it. */
    private String describedGroup() throws Exception {
        Process tool = new ProcessBuilder(
                        new File(System.getProperty("java.home"), "bin/java").getPath(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-Dstormproof.log.level=OFF",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumerGroupCommand.class.getName(),
                        "--bootstrap-server",
                        kafka.bootstrapServers(),
                        "--describe",
                        "--group",
                        group)
                .redirectErrorStream(true)
                .start();
        try {
            String printed = new String(tool.getInputStream().readAllBytes(), UTF_8);
            assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return printed;
        } finally {
            tool.destroyForcibly();
        }
    }

    private String newTopic(String name) {
        return SharedKafka.createTopic(kafka, prefix + "-" + name, 1);
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private void await(BooleanSupplier condition) throws IOException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
        while (!condition.getAsBoolean()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                Alert alert = AlertSchema.read(record.value());
                if (alert.finding() instanceof Verdict verdict) {
                    verdicts.add(verdict);
                }
            }
            assertThat(System.nanoTime()).as("%s", verdicts).isLessThan(deadlineNanos);
        }
    }
}
