package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas before a broker whose certificate is replaced while it runs: by a new one of the same authority, and by one that has expired. */
@Tag("broker")
@Timeout(180)
class CertificatesTest {
    private static final String PASSWORD = "keys-90fd5ab7aa";
    private static final String LISTENER = "listener.name.client.";

    @TempDir
    private Path dir;

    private EmbeddedKafka kafka;
    private ReplicaScene scene;
    private final List<VerifyProcess> open = new ArrayList<>();

    @BeforeEach
    void start() throws IOException, InterruptedException {
        keytool("authority", "-genkeypair -keyalg EC -dname CN=authority -ext bc:c");
        keytool("authority", "-exportcert -rfc -file " + dir.resolve("authority.pem"));
        certify("first", "-validity 30");
        kafka = EmbeddedKafka.start(
                0,
                null,
                Map.of(
                        "listener.security.protocol.map",
                        "CLIENT:SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        LISTENER + "ssl.keystore.type",
                        "PKCS12",
                        LISTENER + "ssl.keystore.location",
                        store("first").toString(),
                        LISTENER + "ssl.keystore.password",
                        PASSWORD));
        scene = new ReplicaScene(kafka.adminServers());
        kafka.createTopic(scene.topic, ReplicaScene.PARTITIONS, Map.of());
        kafka.createTopic(scene.topic + "-alerts", 1, Map.of());
        kafka.createTopic(scene.topic + "-verdicts", 1, Map.of());
        scene.read();
    }

    @AfterEach
    void stop() {
        open.forEach(VerifyProcess::close);
        scene.close();
        kafka.close();
    }

    @Test
    void aRunningReplicaAndOneThatStartsVerifyBehindARenewedCertificate() throws Exception {
        VerifyProcess running = replica();
        scene.send(scene.topic, ReplicaScene.PARTITIONS, 20);
        scene.awaitAllToldOnce();

        certify("second", "-validity 60");
        replaceBy("second");
        scene.sendLossy(20);
        scene.awaitAllToldOnce();
        assertThat(running.failure()).isEmpty();

        open.remove(0).close();
        VerifyProcess next = replica();
        scene.sendLossy(20);
        scene.awaitAllToldOnce();
        assertThat(next.failure()).isEmpty();
    }

    @Test
    void oneThatStartsBeforeAnExpiredCertificateWaitsAndGoesOnWhenThatIsRenewed() throws Exception {
        replica();
        scene.send(scene.topic, ReplicaScene.PARTITIONS, 20);
        scene.awaitAllToldOnce();
        certify("expired", "-startdate -3d -validity 1");
        replaceBy("expired");
        // Standing connections stay.
        scene.send(scene.topic, ReplicaScene.PARTITIONS, 20);
        scene.awaitAllToldOnce();

        open.remove(0).close();
        int verified = scene.verified();
        VerifyProcess next = replica();
        scene.sendLossy(20);
        scene.await("the notice", () -> next.unready().orElse("").startsWith("Kafka has not answered"));
        assertThat(scene.verified()).isEqualTo(verified);

        certify("third", "-validity 60");
        replaceBy("third");
        scene.awaitAllToldOnce();
        scene.await("its return", () -> next.unready().isEmpty());
        assertThat(next.failure()).isEmpty();
    }

    private VerifyProcess replica() {
        Map<String, String> properties = new HashMap<>(scene.with(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                dir.resolve("authority.pem").toString()));
        VerifyProcess process = VerifyProcess.open(new StormproofConfig(properties));
        open.add(process);
        process.join();
        return process;
    }

    private void replaceBy(String name) throws Exception {
        scene.admin
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, "1"),
                        List.of(
                                set("ssl.keystore.location", store(name).toString()),
                                set("ssl.keystore.type", "PKCS12"),
                                set("ssl.keystore.password", PASSWORD))))
                .all()
                .get();
        X509Certificate wanted = (X509Certificate) loaded(name).getCertificate("broker");
        scene.await(name, () -> shown().getSerialNumber().equals(wanted.getSerialNumber()));
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(LISTENER + key, value), AlterConfigOp.OpType.SET);
    }

    /** The certificate that the broker shows to whoever comes, valid or not. */
    private X509Certificate shown() {
        X509Certificate[] shown = new X509Certificate[1];
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Noting(shown)}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", kafka.port())) {
                socket.startHandshake();
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("the broker shows no certificate", e);
        }
        return shown[0];
    }

    /** Trusts everybody, and notes whom. */
    private static final class Noting implements X509TrustManager {
        private final X509Certificate[] noted;

        Noting(X509Certificate[] noted) {
            this.noted = noted;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            noted[0] = chain[0];
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private KeyStore loaded(String name) throws Exception {
        return KeyStore.getInstance(store(name).toFile(), PASSWORD.toCharArray());
    }

    private Path store(String name) {
        return dir.resolve(name + ".p12");
    }

    private void certify(String name, String time) throws IOException, InterruptedException {
        Path request = dir.resolve(name + ".csr");
        Path certificate = dir.resolve(name + ".pem");
        keytool(name, "-genkeypair -keyalg EC -dname CN=broker -ext san=ip:127.0.0.1");
        keytool(name, "-certreq -file " + request);
        keytool(
                "authority",
                "-gencert -rfc -ext san=ip:127.0.0.1 " + time + " -infile " + request + " -outfile " + certificate);
        keytoolAs("authority", name, "-importcert -noprompt -file " + dir.resolve("authority.pem"));
        keytool(name, "-importcert -noprompt -file " + certificate);
    }

    private void keytool(String name, String arguments) throws IOException, InterruptedException {
        keytoolAs("broker", name, arguments);
    }

    private void keytoolAs(String alias, String name, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-storetype",
                "PKCS12",
                "-keystore",
                store(name).toString(),
                "-storepass",
                PASSWORD,
                "-alias",
                alias));
        command.addAll(List.of(arguments.split(" ", -1)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + printed);
        }
        Files.writeString(dir.resolve("keytool.txt"), printed);
    }
}
