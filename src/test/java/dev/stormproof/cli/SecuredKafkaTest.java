package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.cli.testing.SecretSearch;
import dev.stormproof.cli.testing.SecuredScene;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.FaultComparison;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.topology.TopologyBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A run over TLS, with SCRAM and an authorizer, as docs/guides/verify.md says: its commands grant the rights, its
 * configuration runs, and secrets are where it says and nowhere else. {@link SecuredKafkaRefusalsTest} lacks something each
 * time.
 */
@Tag(Stages.CLUSTER)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class SecuredKafkaTest {
    private static final int EVENTS_PER_PARTITION = 200;
    private static final int EVERY = 20;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final Tally verdicts = new Tally();
    private final List<InjectedFault> injected = new ArrayList<>();
    private SecretSearch search;
    private SecuredScene scene;
    private LocalRun run;

    /** What /etc/stormproof is in the document. */
    @TempDir
    static Path etc;

    @BeforeAll
    void start() throws Exception {
        System.out.println("SecuredKafkaTest: -Dseed=" + seed);
        search = new SecretSearch(SecuredScene.secrets());
        scene = SecuredScene.start(etc);
        run = LocalRun.start("secured", StormproofConfig.load(scene.configuration("stormproof")));

        long checkpoints = emitByCommand() + emitFaults();
        awaitVerdicts(checkpoints);
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : Arrays.asList(run, scene, search)) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    void whatIsCleanIsVerifiedAndExactlyTheInjectedFaultsAreNamed() {
        assertThat(verdicts.total().inconclusive()).isZero();
        assertThat(injected).hasSize(FaultKind.values().length);
        FaultComparison comparison = FaultComparison.of(injected, verdicts.anomalies());
        assertThat(comparison.missed()).as("-Dseed=%s", seed).isEmpty();
        assertThat(comparison.others()).as("-Dseed=%s", seed).isEmpty();
        assertThat(verdicts.unattributed()).isEmpty();
    }

    @Test
    void alertsAreShown() throws Exception {
        Shell.Result result = command("alerts", "reader", "--from-beginning", "--idle-timeout", "1")
                .ends(ExitCode.VIOLATED);

        assertThat(result.out()).containsPattern("ALERT .*\\b\\d+ events? lost.* in " + SecuredScene.TOPIC);
    }

    @Test
    void anAuditComesToTheSameVerdict() throws Exception {
        Shell.Result result =
                command("audit", "reader", "--topic", SecuredScene.TOPIC).ends(ExitCode.VIOLATED);

        assertThat(result.out())
                .containsPattern("together +\\d+ +\\d+ +" + verdicts.total().verified() + " +"
                        + verdicts.total().violated() + " +0 +0");
    }

    @Test
    void noSecretIsInWhatStormShowsNorInAnyLog() throws Exception {
        StormproofConfig config = StormproofConfig.load(scene.configuration("stormproof"));

        search.look(VerificationTopology.build(config), VerificationTopology.stormConfig(config));

        assertThat(search.found()).isEmpty();
        assertThat(search.logged()).isGreaterThan(1_000);
    }

    /** The search would find one: a spout that is given a secret shows it, and so do logs and exceptions that hold it. */
    @Test
    void aSecretThatIsShownWouldBeFound() throws Exception {
        String secret = "shown-6b0d9c7711";
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(
                "careless",
                new KafkaSpout<>(KafkaSpoutConfig.builder("127.0.0.1:1", SecuredScene.TOPIC)
                        .setProp("ssl.key.password", secret)
                        .build()));
        StormTopology careless = builder.createTopology();
        try (SecretSearch other = new SecretSearch(List.of(secret))) {
            other.look(careless, Map.of("careless", secret));
            LoggerFactory.getLogger(getClass()).info("with {}", secret);
            LoggerFactory.getLogger("dev.stormproof.task.storm").debug("no", new ConfigException(secret));
            other.look("an exception", new IllegalStateException("outside", new ConfigException("k", secret)));

            assertThat(other.found())
                    .extracting(found -> found.substring(0, found.indexOf(':')))
                    .containsExactly(
                            "the topology's configuration", "the configuration of component careless",
                            "the serialized topology", "log of " + getClass().getName(),
                            "log of dev.stormproof.task.storm", "an exception");
        }
    }

    private Shell.Result command(String command, String user, String... more) throws IOException {
        Shell.Result result = scene.command(command, user, more);
        search.look("the command " + command, result.toString());
        return result;
    }

    private long emitByCommand() throws IOException {
        List<String> lines = IntStream.range(0, SecuredScene.PARTITIONS * EVENTS_PER_PARTITION)
                .mapToObj(i -> "line " + i)
                .toList();
        Path file = Files.write(etc.resolve("lines"), lines);
        Shell.Result result = command(
                        "dev emit",
                        "upstream",
                        "--topic",
                        SecuredScene.TOPIC,
                        "--input",
                        file.toString(),
                        "--checkpoint-every",
                        "" + EVERY)
                .ends(0);
        return Pattern.compile("(\\d+) checkpoints")
                .matcher(result.out())
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    private long emitFaults() throws IOException {
        Map<TopicPartition, Integer> events = new HashMap<>();
        for (int partition = 0; partition < SecuredScene.PARTITIONS; partition++) {
            events.put(new TopicPartition(SecuredScene.TOPIC, partition), EVENTS_PER_PARTITION);
        }
        Map<FaultKind, Integer> counts = new HashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            counts.put(kind, 1);
        }
        FaultPlan plan = FaultPlan.of(events, counts, EVERY, seed);
        Map<String, Object> settings = scene.clientSettings("upstream");
        settings.put(EmitterConfig.MAX_EVENTS, EVERY);
        settings.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        AtomicReference<@Nullable FaultInjector> injector = new AtomicReference<>();
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                settings, new ByteArraySerializer(), new ByteArraySerializer(), properties -> {
                    FaultInjector inner = new FaultInjector(new KafkaProducer<>(properties), plan);
                    injector.set(inner);
                    return inner;
                });
        try (producer) {
            for (int i = 0; i < EVENTS_PER_PARTITION; i++) {
                for (int partition = 0; partition < SecuredScene.PARTITIONS; partition++) {
                    var unused = producer.send(
                            new ProducerRecord<>(SecuredScene.TOPIC, partition, null, ("event " + i).getBytes(UTF_8)));
                }
            }
        }
        injected.addAll(Objects.requireNonNull(injector.get()).injected());
        return producer.stats().values().stream()
                .mapToLong(EmitterStats::checkpointsSent)
                .sum();
    }

    private void awaitVerdicts(long count) throws IOException {
        Map<String, Object> settings = scene.clientSettings("reader");
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        try (FindingFeed feed =
                new FindingFeed(settings, List.of(new TopicPartition(SecuredScene.VERDICTS, 0)), true)) {
            while (verdicts.total().decided() < count) {
                for (ConsumerRecord<byte[], byte[]> record : feed.poll(Duration.ofMillis(200))) {
                    verdicts.add(AlertSchema.read(record.value()));
                }
                assertThat(System.nanoTime())
                        .as("%s of %s verdicts", verdicts.total(), count)
                        .isLessThan(deadlineNanos);
            }
        }
    }
}
