package dev.stormproof.task.heads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.SecuredKafka;
import dev.stormproof.cli.local.Stages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The topic of heads where not everything is allowed. */
@Tag(Stages.CLUSTER)
@Timeout(120)
class HeadsTopicRightsTest {
    private static final String PASSWORD = "heads-3a9c";

    @TempDir
    static Path directory;

    @Test
    void withoutTheRightToCreateItTheCommandIsPrintedAndWithTheRightItIsCreated() throws Exception {
        try (SecuredKafka kafka = SecuredKafka.start(directory)) {
            kafka.putUser("stormproof", PASSWORD);
            try (Admin admin = Admin.create(clientOf(kafka))) {
                OwnTopic topic = OwnTopic.ofHeads("g-heads", kafka.broker().adminServers(), 3);
                // Nothing at all is allowed: whether it is there cannot be known.
                String refused = refusal(topic, admin);
                assertThat(refused)
                        .startsWith("topic 'g-heads' (heads.topic) is not ours to look at or create: ")
                        .contains(
                                ". Allow Read, Write and DescribeConfigs on it; if it is not there, create it: kafka-topics.sh ");

                grant(kafka, "g-heads", AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS);
                assertThat(refusal(topic, admin)).endsWith(topic.command());
                String command = refused.substring(refused.indexOf("kafka-topics.sh ") + "kafka-topics.sh ".length());
                run(command.split(" ", -1));
                assertThat(demanded(topic, admin)).isEqualTo(3);

                OwnTopic other = OwnTopic.ofHeads("h-heads", kafka.broker().adminServers(), 2);
                grant(
                        kafka,
                        "h-heads",
                        AclOperation.READ,
                        AclOperation.WRITE,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.CREATE);
                assertThat(demanded(other, admin)).isEqualTo(2);
            }
        }
    }

    /** What kafka-topics.sh starts: a JVM of its own, which the command ends. */
    private static void run(String... arguments) throws Exception {
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.kafka.tools.TopicCommand"));
        java.addAll(List.of(arguments));
        Path printed = directory.resolve("printed");
        Process process = new ProcessBuilder(java)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(printed)).isZero();
    }

    private static String refusal(OwnTopic topic, Admin admin) {
        String[] message = {""};
        assertThatThrownBy(() -> topic.demand(admin))
                .isInstanceOf(ConfigException.class)
                .satisfies(refused -> message[0] = refused.getMessage());
        return message[0];
    }

    /** The broker knows of a right a little later. */
    private static int demanded(OwnTopic topic, Admin admin) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return topic.demand(admin);
            } catch (ConfigException e) {
                if (System.nanoTime() > deadlineNanos) {
                    throw e;
                }
            }
        }
    }

    private static void grant(SecuredKafka kafka, String topic, AclOperation... operations) throws Exception {
        List<AclBinding> bindings = Arrays.stream(operations)
                .map(operation -> new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                        new AccessControlEntry("User:stormproof", "*", operation, AclPermissionType.ALLOW)))
                .toList();
        kafka.admin().createAcls(bindings).all().get(30, TimeUnit.SECONDS);
    }

    private static Map<String, Object> clientOf(SecuredKafka kafka) {
        return Map.of(
                "bootstrap.servers",
                kafka.broker().bootstrapServers(),
                "security.protocol",
                "SASL_SSL",
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.location",
                kafka.truststore().toString(),
                "ssl.truststore.password",
                SecuredKafka.TRUSTSTORE_PASSWORD,
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"stormproof\" password=\""
                        + PASSWORD + "\";");
    }
}
