package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.Stages;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What an application gets that depends on the jar for its producer, and that this is enough. */
@Tag(Stages.CLUSTER)
class ProducerJarIT {
    private static final List<String> HANDED_ON = List.of("hash4j", "bcprov-jdk18on", "jspecify", "kafka-clients");

    @Test
    void thePomHandsOnWhatTheProducerNeedsAndNothingElse() throws Exception {
        Document pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("pom.xml"));
        NodeList names = (NodeList) XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                        "/project/dependencies/dependency[not(scope) and not(optional)]/artifactId/text()",
                        pom,
                        XPathConstants.NODESET);
        List<String> handedOn = new ArrayList<>();
        for (int i = 0; i < names.getLength(); i++) {
            handedOn.add(names.item(i).getNodeValue());
        }

        assertThat(handedOn).containsExactlyInAnyOrderElementsOf(HANDED_ON);
    }

    @Test
    void theProducerWorksWithThatAlone() throws Exception {
        List<URL> urls = new ArrayList<>();
        urls.add(Path.of(Objects.requireNonNull(System.getProperty("stormproof.jar")))
                .toUri()
                .toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = String.valueOf(Path.of(entry).getFileName());
            // kafka-clients brings the API of SLF4J.
            if (name.startsWith("slf4j-api-") || HANDED_ON.stream().anyMatch(jar -> name.startsWith(jar + "-"))) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader application =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(application);
            Class<?> producer = application.loadClass("dev.stormproof.emit.CheckpointingProducer");
            String serializer = "org.apache.kafka.common.serialization.StringSerializer";

            Object made = producer.getConstructor(Map.class)
                    .newInstance(Map.of(
                            "bootstrap.servers",
                            "127.0.0.1:1",
                            "key.serializer",
                            serializer,
                            "value.serializer",
                            serializer,
                            "stormproof.tree.hash",
                            "sha256",
                            "stormproof.checkpoint.key.id",
                            "orders",
                            "stormproof.checkpoint.key.private",
                            privateKey()));

            assertThat(producer.getMethod("stats").invoke(made)).isNotNull();
            producer.getMethod("close").invoke(made);
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(urls).hasSize(6);
    }

    private static String privateKey() throws NoSuchAlgorithmException {
        byte[] der = KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        return Base64.getEncoder().encodeToString(der);
    }
}
