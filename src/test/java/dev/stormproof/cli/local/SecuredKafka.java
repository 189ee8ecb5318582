package dev.stormproof.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * A broker whose clients come over TLS, say with SCRAM-SHA-512 who they are, and may do only what they were granted.
 *
 * <p>Who comes over the internal listener may do everything: {@link #admin}.
 */
public final class SecuredKafka implements AutoCloseable {
    /** Not even the password of what holds nothing but certificates may be seen. */
    public static final String TRUSTSTORE_PASSWORD = "trust-8d41c0ffee";

    private static final String KEYSTORE_PASSWORD = "keys-90fd5ab7aa";
    private static final int SCRAM_ITERATIONS = 4_096;
    private static final long PATIENCE_SECONDS = 30;

    private final EmbeddedKafka broker;
    private final Admin admin;

    private SecuredKafka(EmbeddedKafka broker) {
        this.broker = broker;
        this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.adminServers()));
    }

    /** Starts a broker with a certificate of its own; its keys are put into {@code dir}. */
    public static SecuredKafka start(Path dir) throws IOException {
        Path keystore = dir.resolve("broker.p12");
        Path certificate = dir.resolve("broker.pem");
        Path truststore = dir.resolve("truststore.p12");
        keytool(keystore, KEYSTORE_PASSWORD, "-genkeypair -keyalg EC -dname CN=broker -ext san=ip:127.0.0.1");
        keytool(keystore, KEYSTORE_PASSWORD, "-exportcert -rfc -file " + certificate);
        keytool(truststore, TRUSTSTORE_PASSWORD, "-importcert -noprompt -file " + certificate);
        EmbeddedKafka broker = EmbeddedKafka.start(
                0,
                null,
                Map.of(
                        "listener.security.protocol.map",
                        "CLIENT:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "listener.name.client.ssl.keystore.type",
                        "PKCS12",
                        "listener.name.client.ssl.keystore.location",
                        keystore.toString(),
                        "listener.name.client.ssl.keystore.password",
                        KEYSTORE_PASSWORD,
                        "listener.name.client.sasl.enabled.mechanisms",
                        "SCRAM-SHA-512",
                        "listener.name.client.scram-sha-512.sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required;",
                        "authorizer.class.name",
                        StandardAuthorizer.class.getName(),
                        "super.users",
                        "User:ANONYMOUS"));
        return new SecuredKafka(broker);
    }

    public EmbeddedKafka broker() {
        return broker;
    }

    /** A client that may do everything. */
    public Admin admin() {
        return admin;
    }

    /** Makes a user, or gives it another password. The broker knows it a little later. */
    public void putUser(String name, String password) throws Exception {
        UserScramCredentialAlteration user = new UserScramCredentialUpsertion(
                name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, SCRAM_ITERATIONS), password);
        admin.alterUserScramCredentials(List.of(user)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        admin.close();
        broker.close();
    }

    private static void keytool(Path store, String password, String arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                password,
                "-alias",
                "broker"));
        command.addAll(List.of(arguments.split(" ", -1)));
        Path printed = Files.createTempFile("stormproof-keytool-", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("keytool: " + Files.readString(printed, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("keytool was interrupted", e));
        } finally {
            Files.deleteIfExists(printed);
        }
    }
}
