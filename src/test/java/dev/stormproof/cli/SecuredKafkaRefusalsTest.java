package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stormproof.cli.local.SecuredKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.testing.SecretSearch;
import dev.stormproof.cli.testing.SecuredScene;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.watch.WatchedInputs;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A secured Kafka that lacks a right, a user or a secret each time: the start is refused, and the refusal names the missing
 * thing and no secret.
 */
@Tag(Stages.BROKER)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
class SecuredKafkaRefusalsTest {
    private static final String WRONG_PASSWORD = "wrong-2e8f10b6ad";

    private SecretSearch search;
    private SecuredScene scene;
    private SecuredKafka kafka;

    /** What /etc/stormproof is in the document. */
    @TempDir
    static Path etc;

    @BeforeAll
    void start() throws Exception {
        List<String> secrets = new ArrayList<>(SecuredScene.secrets());
        secrets.add(WRONG_PASSWORD);
        search = new SecretSearch(secrets);
        scene = SecuredScene.start(etc);
        kafka = scene.kafka();
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : Arrays.asList(scene, search)) {
            if (part != null) {
                part.close();
            }
        }
    }

    /** Each user has all the rights of the topology but one. */
    @TestFactory
    Stream<DynamicTest> withoutOneOfTheRightsTheStartIsRefusedAndTheRightIsNamed() throws Exception {
        // This topology has no canary.
        List<AclBinding> rights = rightsOf("stormproof").stream()
                .filter(right -> !right.pattern().name().equals("stormproof-canary"))
                .toList();
        assertThat(rights).hasSize(10);
        for (int without = 0; without < rights.size(); without++) {
            List<AclBinding> left = new ArrayList<>(rights);
            left.remove(without);
            grant("without-" + without, left);
        }
        // The broker learns of users in order: when it knows the last one, it knows the others.
        grant("complete", rights);
        SecuredScene.awaitRights(StormproofConfig.load(scene.configuration("complete")));
        return IntStream.range(0, rights.size())
                .mapToObj(without -> DynamicTest.dynamicTest(words(rights.get(without)), () -> {
                    StormproofConfig config = StormproofConfig.load(scene.configuration("without-" + without));
                    Failure refused = catchThrowableOfType(Failure.class, () -> StartupCheck.check(config, Map.of()));
                    AclBinding right = rights.get(without);
                    String operation = SecurityUtils.operationName(right.entry().operation());
                    if (right.pattern().name().equals(SecuredScene.VERDICTS)) {
                        // The only right on it: whether it is there cannot be known.
                        assertThat(refused)
                                .hasMessageContaining("topic 'stormproof-verdicts' (verdicts.topic) is not ours")
                                .hasMessageContaining(
                                        ". Set verdicts.topic=none, or allow Write on it; if it is not there,"
                                                + " create it: kafka-topics.sh ");
                        return;
                    }
                    assertThat(refused)
                            .hasMessageContaining("does not let us ")
                            .hasMessageContaining(operation)
                            .hasMessageContaining("'" + right.pattern().name())
                            .hasMessageContaining("docs/guides/verify.md");
                    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
                }));
    }

    @Test
    void commandsSayWhichRightsTheyLack() throws Exception {
        Path lines = Files.writeString(etc.resolve("one-line"), "an event\n");

        Shell.Result emit = command("dev emit", "reader", "--topic", SecuredScene.TOPIC, "--input", lines.toString());
        Shell.Result audit = command("audit", "upstream", "--topic", SecuredScene.TOPIC);
        Shell.Result alerts = command("alerts", "upstream", "--idle-timeout", "1");

        for (Shell.Result result : List.of(emit, audit, alerts)) {
            assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.FAILED);
            assertThat(result.err().lines()).as(result.toString()).hasSize(1);
        }
        for (Shell.Result result : List.of(audit, alerts)) {
            assertThat(result.err()).contains("uthoriz");
        }
        assertThat(emit.err()).contains("needs Write on topic " + SecuredScene.TOPIC, "docs/guides/verify.md");
    }

    @Test
    void aWrongPasswordIsRefusedAndNotRepeated() throws Exception {
        scene.putUser("mistaken", "scram-another");
        Files.writeString(etc.resolve("secrets").resolve("mistaken"), WRONG_PASSWORD);
        StormproofConfig config = StormproofConfig.load(scene.configuration("mistaken"));

        Throwable refused = catchThrowable(() -> StartupCheck.check(config, Map.of()));

        assertThat(refused).isInstanceOf(Failure.class).hasMessageContaining("credentials");
        search.look("a refusal", refused);
        assertThat(search.found()).isEmpty();
    }

    /** Emitting alone may be told a secret literally, a run hands the same properties to Storm. */
    @Test
    void aRunRefusesALiteralSecretBeforeItCreatesAnything() throws Exception {
        Path file = scene.clientProperties("upstream");
        String literal = Files.readString(file, UTF_8)
                .replaceFirst(Pattern.quote("${directory:") + "[^}]*}", SecuredScene.password("upstream"));
        Files.writeString(file, literal);

        Shell.Result emit = Shell.line(
                "dev emit --bootstrap-server " + kafka.broker().bootstrapServers() + " --command-config " + file
                        + " --topic " + SecuredScene.TOPIC + "-nowhere --input "
                        + Files.writeString(etc.resolve("events.txt"), "one\n").toString());
        Shell.Result result = Shell.line(
                "run --events 1 --bootstrap-server " + kafka.broker().bootstrapServers() + " --command-config " + file);

        assertThat(emit.err()).contains("Topic authorization failed");
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--command-config: sasl.jaas.config (option password) is a literal secret");
        search.look("the command line", emit.toString() + result);
        assertThat(search.found()).isEmpty();
        assertThat(kafka.admin().listTopics().names().get(30, TimeUnit.SECONDS))
                .noneMatch(topic -> topic.startsWith("stormproof-events"));
    }

    /** None of the refusals above showed one, nor did a log of theirs. */
    @Test
    @Order(Integer.MAX_VALUE)
    void noSecretIsInAnyLog() {
        assertThat(search.found()).isEmpty();
    }

    /** Kafka lists no topic that one may not describe, as if it were deleted. */
    @Test
    void aTopicOfAPatternThatWeMayNoLongerDescribeIsExpectedStill() throws Exception {
        grant("onlooker", rightsOf("stormproof"));
        Properties file = new Properties();
        try (Reader reader = Files.newBufferedReader(scene.configuration("onlooker"), UTF_8)) {
            file.load(reader);
        }
        Map<String, String> settings = new HashMap<>();
        file.forEach((name, value) -> settings.put((String) name, (String) value));
        settings.remove(InputSettings.INPUT_TOPICS);
        settings.put(InputSettings.INPUT_TOPICS_PATTERN, SecuredScene.TOPIC);
        StormproofConfig config = new StormproofConfig(settings);
        SecuredScene.awaitRights(config);
        try (WatchedInputs inputs = WatchedInputs.of(config, found -> {}, "test-inputs")) {
            Clients.await("a look", () -> !inputs.partitions().isEmpty());
            int partitions = inputs.partitions().size();
            assertThat(inputs.expected()).isEqualTo(partitions);

            for (AclBinding right : rightsOf("onlooker")) {
                if (right.pattern().resourceType() == ResourceType.TOPIC) {
                    kafka.admin().deleteAcls(List.of(right.toFilter())).all().get(30, TimeUnit.SECONDS);
                }
            }

            Clients.await("a look that finds nothing", () -> inputs.partitions().isEmpty());
            assertThat(inputs.expected()).isEqualTo(partitions);
        }
    }

    private Shell.Result command(String command, String user, String... more) throws IOException {
        Shell.Result result = scene.command(command, user, more);
        search.look("the command " + command, result.toString());
        return result;
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
