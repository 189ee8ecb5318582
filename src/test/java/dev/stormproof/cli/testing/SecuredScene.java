package dev.stormproof.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.SecuredKafka;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.tools.AclCommand;

/**
 * A scene has a secured broker as docs/guides/verify.md describes it: with the rights that its commands grant, and its
 * configuration, whose secrets lie in files.
 *
 * <p>The users are {@code stormproof}, the topology's; {@code upstream}, who emits; and {@code reader}, who looks at
 * findings.
 */
public final class SecuredScene implements AutoCloseable {
    public static final String TOPIC = "orders";
    public static final int PARTITIONS = 2;
    public static final String ALERTS = "stormproof-alerts";
    public static final String VERDICTS = "stormproof-verdicts";
    private static final String HEADS = "stormproof-orders-heads";

    private static final Map<String, String> PASSWORDS =
            Map.of("stormproof", "scram-5b1f7a20ee", "upstream", "scram-77c9d3b1fe", "reader", "scram-c40a9e6d12");

    private final SecuredKafka kafka;
    private final Path etc;

    private SecuredScene(SecuredKafka kafka, Path etc) {
        this.kafka = kafka;
        this.etc = etc;
    }

    /**
     * Starts the broker, and grants what the document says.
     *
     * @param etc what /etc/stormproof is in the document
     */
    public static SecuredScene start(Path etc) throws Exception {
        SecuredScene scene = new SecuredScene(SecuredKafka.start(etc), etc);
        boolean isSetUp = false;
        try {
            scene.setUp();
            isSetUp = true;
        } finally {
            if (!isSetUp) {
                scene.close();
            }
        }
        return scene;
    }

    private void setUp() throws Exception {
        kafka.broker().createTopic(TOPIC, PARTITIONS, Map.of());
        kafka.broker().createTopic(ALERTS, 1, Map.of());
        kafka.broker().createTopic(VERDICTS, 1, Map.of());
        kafka.broker().createTopic(HEADS, 2, Map.of("cleanup.policy", "compact"));
        Files.writeString(etc.resolve("keys.properties"), "truststore=" + SecuredKafka.TRUSTSTORE_PASSWORD + "\n");
        Files.createDirectory(etc.resolve("secrets"));
        for (Map.Entry<String, String> user : PASSWORDS.entrySet()) {
            putUser(user.getKey(), user.getValue());
        }
        OperationsDocument.grants().forEach(this::runGrant);
        awaitRights(StormproofConfig.load(configuration("stormproof")));
    }

    public SecuredKafka kafka() {
        return kafka;
    }

    public static String password(String user) {
        return Objects.requireNonNull(PASSWORDS.get(user), user);
    }

    /** The texts that must stay secret. */
    public static List<String> secrets() {
        List<String> secrets = new ArrayList<>(PASSWORDS.values());
        secrets.add(SecuredKafka.TRUSTSTORE_PASSWORD);
        return secrets;
    }

    /** Makes a user whose password lies where the configuration says. The broker knows it a little later. */
    public void putUser(String user, String password) throws Exception {
        kafka.putUser(user, password);
        Files.writeString(etc.resolve("secrets").resolve(user), password);
    }

    /** The document's configuration for a user, as a file. */
    public Path configuration(String user) throws IOException {
        String text = OperationsDocument.block("properties", "verify")
                .replace("kafka1:9093", kafka.broker().bootstrapServers())
                .replace("/etc/stormproof", etc.toString())
                .replace("username=\"stormproof\"", "username=\"" + user + "\"")
                .replace("secrets:stormproof}", "secrets:" + user + "}");
        return Files.writeString(etc.resolve(user + ".verify.properties"), text);
    }

    /** The same without what is the topology's own: client properties. */
    public Path clientProperties(String user) throws IOException {
        String text = Files.readString(configuration(user), UTF_8);
        return Files.writeString(etc.resolve(user + ".properties"), text.substring(text.indexOf("security.protocol=")));
    }

    /** The settings of a user's client. */
    public Map<String, Object> clientSettings(String user) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(clientProperties(user), UTF_8)) {
            properties.load(reader);
        }
        Map<String, Object> settings = new HashMap<>();
        properties.forEach((key, value) -> settings.put((String) key, value));
        settings.put("bootstrap.servers", kafka.broker().bootstrapServers());
        return settings;
    }

    /** Runs a command of ours against the broker, as a user of its. */
    public Shell.Result command(String command, String user, String... more) throws IOException {
        String server = kafka.broker().bootstrapServers();
        return Shell.line(
                command + " --bootstrap-server " + server + " --command-config " + clientProperties(user), more);
    }

    /** The broker learns of users and rights a little after they were granted. */
    public static void awaitRights(StormproofConfig config) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try {
                assertThat(StartupCheck.check(config, Map.of())).isEmpty();
                return;
            } catch (Failure e) {
                if (System.nanoTime() > deadlineNanos) {
                    throw e;
                }
            }
        }
    }

    private void runGrant(List<String> grant) {
        List<String> arguments =
                new ArrayList<>(List.of("--bootstrap-server", kafka.broker().adminServers(), "--add"));
        arguments.addAll(grant);
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
        try {
            AclCommand.main(arguments.toArray(String[]::new));
        } finally {
            System.setOut(out);
        }
    }

    @Override
    public void close() {
        kafka.close();
    }
}
