package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.fault.FaultInjector;
import dev.stormproof.fault.FaultKind;
import dev.stormproof.fault.FaultPlan;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.local.LocalRun;
import dev.stormproof.local.SecuredKafka;
import dev.stormproof.storm.RefusedException;
import dev.stormproof.storm.StartupCheck;
import dev.stormproof.storm.VerificationTopology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.SecurityUtils;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.topology.TopologyBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Everything over TLS, with SCRAM and an authorizer, as docs/OPERATIONS.md says: its commands grant the rights, its
 * configuration is what runs, and secrets are where it says and nowhere else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class SecuredKafkaTest {
    private static final int EVENTS_PER_PARTITION = 200;
    private static final int EVERY = 20;
    private static final String WRONG_PASSWORD = "wrong-2e8f10b6ad";

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final Tally verdicts = new Tally();
    private final List<InjectedFault> injected = new ArrayList<>();
    private SecretSearch search;
    private SecuredScene scene;
    private SecuredKafka kafka;
    private LocalRun run;

    /** What /etc/stormproof is in the document. */
    @TempDir
    static Path etc;

    @BeforeAll
    void start() throws Exception {
        System.out.println("SecuredKafkaTest: -Dseed=" + seed);
        List<String> secrets = new ArrayList<>(SecuredScene.secrets());
        secrets.add(WRONG_PASSWORD);
        search = new SecretSearch(secrets);
        scene = SecuredScene.start(etc);
        kafka = scene.kafka();
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
        assertThat(FaultComparison.of(injected, verdicts.anomalies()).isExact())
                .as("injected %s, named %s, -Dseed=%s", injected, verdicts.anomalies(), seed)
                .isTrue();
        assertThat(verdicts.unattributed()).isEmpty();
    }

    @Test
    void alertsAreShown() throws Exception {
        Shell.Result result = command("alerts", "reader", "--from-beginning", "--idle-timeout", "1");

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(result.out()).contains("ALERT violated");
    }

    @Test
    void anAuditComesToTheSameVerdict() throws Exception {
        Shell.Result result = command("audit", "reader", "--topic", SecuredScene.TOPIC);

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(result.out())
                .containsPattern("all +\\d+ +\\d+ +" + verdicts.total().verified() + " +"
                        + verdicts.total().violated() + " +0 +0");
    }

    @Test
    void theVerifiedProgressReachesTheEndOfTheLog() throws Exception {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (int partition = 0; partition < SecuredScene.PARTITIONS; partition++) {
            ends.put(new TopicPartition(SecuredScene.TOPIC, partition), 0L);
        }
        Map<TopicPartition, Long> committed = new HashMap<>();
        do {
            kafka.admin()
                    .listConsumerGroupOffsets("stormproof-orders")
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .forEach((partition, offset) -> committed.put(partition, offset.offset()));
            for (TopicPartition partition : List.copyOf(ends.keySet())) {
                ends.put(partition, endOf(partition));
            }
        } while (!committed.equals(ends));
    }

    /** Each user has all the rights of the topology but one. */
    @TestFactory
    Stream<DynamicTest> withoutOneOfTheRightsTheStartIsRefusedAndTheRightIsNamed() throws Exception {
        List<AclBinding> rights = rightsOf("stormproof");
        assertThat(rights).hasSize(7);
        for (int without = 0; without < rights.size(); without++) {
            List<AclBinding> left = new ArrayList<>(rights);
            left.remove(without);
            grant("without-" + without, left);
        }
        // Whoever is granted everything last is known when the others are.
        grant("complete", rights);
        SecuredScene.awaitRights(StormproofConfig.load(scene.configuration("complete")));
        return IntStream.range(0, rights.size())
                .mapToObj(without -> DynamicTest.dynamicTest(words(rights.get(without)), () -> {
                    StormproofConfig config = StormproofConfig.load(scene.configuration("without-" + without));
                    RefusedException refused =
                            catchThrowableOfType(RefusedException.class, () -> StartupCheck.check(config, Map.of()));
                    AclBinding right = rights.get(without);
                    String operation = SecurityUtils.operationName(right.entry().operation());
                    assertThat(refused)
                            .hasMessageContaining("does not let us ")
                            .hasMessageContaining(operation)
                            .hasMessageContaining("'" + right.pattern().name())
                            .hasMessageContaining("docs/OPERATIONS.md");
                    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
                }));
    }

    @Test
    void commandsSayWhichRightsTheyLack() throws Exception {
        Path lines = Files.writeString(etc.resolve("one-line"), "an event\n");

        Shell.Result emit = command("emit", "reader", "--topic", SecuredScene.TOPIC, "--input", lines.toString());
        Shell.Result audit = command("audit", "upstream", "--topic", SecuredScene.TOPIC);
        Shell.Result alerts = command("alerts", "upstream", "--idle-timeout", "1");

        for (Shell.Result result : List.of(emit, audit, alerts)) {
            assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.FAILED);
            assertThat(result.err().lines()).as(result.toString()).hasSize(1);
            assertThat(result.err()).contains("uthoriz");
        }
    }

    @Test
    void aWrongPasswordIsRefusedAndNotRepeated() throws Exception {
        scene.putUser("mistaken", "scram-another");
        Files.writeString(etc.resolve("secrets").resolve("mistaken"), WRONG_PASSWORD);
        StormproofConfig config = StormproofConfig.load(scene.configuration("mistaken"));

        Throwable refused = catchThrowable(() -> StartupCheck.check(config, Map.of()));

        assertThat(refused).isInstanceOf(RefusedException.class).hasMessageContaining("credentials");
        search.look("a refusal", refused);
        assertThat(search.found()).isEmpty();
    }

    @Test
    void aSecretThatIsNotThereIsNamed() throws Exception {
        StormproofConfig config = StormproofConfig.load(scene.configuration("nobody"));

        Throwable refused = catchThrowable(() -> StartupCheck.check(config, Map.of()));

        assertThat(refused)
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("${directory:")
                .hasMessageContaining(":nobody} cannot be resolved on this machine");
    }

    @Test
    void aFileOfSecretsThatIsNotThereIsNamed() throws Exception {
        Path file = scene.configuration("stormproof-elsewhere");
        Files.writeString(file, Files.readString(file, UTF_8).replace("/keys.properties", "/no-such.properties"));
        StormproofConfig config = StormproofConfig.load(file);

        Throwable refused = catchThrowable(() -> StartupCheck.check(config, Map.of()));

        assertThat(refused)
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("on this machine")
                .hasMessageContaining("no-such.properties");
    }

    @Test
    void aLiteralSecretIsRefusedWithTheReason() throws Exception {
        String literal = Files.readString(scene.configuration("stormproof"), UTF_8)
                .replaceFirst(Pattern.quote("${directory:") + "[^}]*}", SecuredScene.password("stormproof"));
        Path file = Files.writeString(etc.resolve("literal.properties"), literal);

        Shell.Result result = Shell.here("local", "--config", file.toString());

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("sasl.jaas.config (option password) is a literal secret", "${file:");
        search.look("the command line", result.toString());
        assertThat(search.found()).isEmpty();
    }

    /** Emitting alone may be told a secret literally, a run hands the same properties to Storm. */
    @Test
    void aRunRefusesALiteralSecretBeforeItCreatesAnything() throws Exception {
        Path file = scene.clientProperties("upstream");
        String literal = Files.readString(file, UTF_8)
                .replaceFirst(Pattern.quote("${directory:") + "[^}]*}", SecuredScene.password("upstream"));
        Files.writeString(file, literal);

        Shell.Result emit = Shell.here(
                "emit",
                "--bootstrap-server",
                kafka.broker().bootstrapServers(),
                "--command-config",
                file.toString(),
                "--topic",
                SecuredScene.TOPIC + "-nowhere",
                "--input",
                Files.writeString(etc.resolve("events.txt"), "one\n").toString());
        Shell.Result result = Shell.here(
                "run",
                "--events",
                "1",
                "--bootstrap-server",
                kafka.broker().bootstrapServers(),
                "--command-config",
                file.toString());

        assertThat(emit.err()).contains("Topic authorization failed");
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--command-config: sasl.jaas.config (option password) is a literal secret");
        search.look("the command line", emit.toString() + result);
        assertThat(search.found()).isEmpty();
        assertThat(kafka.admin().listTopics().names().get(30, TimeUnit.SECONDS))
                .noneMatch(topic -> topic.startsWith("stormproof-events"));
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
            LoggerFactory.getLogger("dev.stormproof.storm").debug("no", new ConfigException(secret));
            other.look("an exception", new IllegalStateException("outside", new ConfigException("k", secret)));

            assertThat(other.found())
                    .extracting(found -> found.substring(0, found.indexOf(':')))
                    .containsExactly(
                            "the topology's configuration",
                            "the configuration of component careless",
                            "the serialized topology",
                            "log of " + getClass().getName(),
                            "log of dev.stormproof.storm",
                            "an exception");
        }
    }

    private Shell.Result command(String command, String user, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--bootstrap-server",
                kafka.broker().bootstrapServers(),
                "--command-config",
                scene.clientProperties(user).toString()));
        arguments.addAll(List.of(more));
        Shell.Result result = Shell.here(arguments.toArray(String[]::new));
        search.look("the command " + command, result.toString());
        return result;
    }

    /** Two hundred lines, by the command; returns how many checkpoints there are. */
    private long emitByCommand() throws IOException {
        List<String> lines = IntStream.range(0, SecuredScene.PARTITIONS * EVENTS_PER_PARTITION)
                .mapToObj(i -> "line " + i)
                .toList();
        Path file = Files.write(etc.resolve("lines"), lines);
        Shell.Result result = command(
                "emit",
                "upstream",
                "--topic",
                SecuredScene.TOPIC,
                "--input",
                file.toString(),
                "--checkpoint-every",
                "" + EVERY);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        return Pattern.compile("(\\d+) checkpoints")
                .matcher(result.out())
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    /** A stream with one fault of each kind; returns how many checkpoints there are. */
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
                    verdicts.add(AlertJson.read(record.value()));
                }
                assertThat(System.nanoTime())
                        .as("%s of %s verdicts", verdicts.total(), count)
                        .isLessThan(deadlineNanos);
            }
        }
    }

    private long endOf(TopicPartition partition) throws Exception {
        return kafka.admin()
                .listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get(30, TimeUnit.SECONDS)
                .offset();
    }

    private List<AclBinding> rightsOf(String user) throws Exception {
        Collection<AclBinding> rights = kafka.admin()
                .describeAcls(new AclBindingFilter(
                        ResourcePatternFilter.ANY,
                        new AccessControlEntryFilter("User:" + user, null, AclOperation.ANY, AclPermissionType.ANY)))
                .values()
                .get(30, TimeUnit.SECONDS);
        return List.copyOf(rights);
    }

    private void grant(String user, List<AclBinding> rights) throws Exception {
        List<AclBinding> own = rights.stream()
                .map(right -> new AclBinding(
                        right.pattern(),
                        new AccessControlEntry(
                                "User:" + user,
                                right.entry().host(),
                                right.entry().operation(),
                                right.entry().permissionType())))
                .toList();
        scene.putUser(user, "scram-of-" + user);
        kafka.admin().createAcls(own).all().get(30, TimeUnit.SECONDS);
    }

    private static String words(AclBinding right) {
        return right.entry().operation() + " " + right.pattern().resourceType() + " "
                + right.pattern().name();
    }
}
