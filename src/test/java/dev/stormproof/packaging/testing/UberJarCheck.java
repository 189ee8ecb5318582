package dev.stormproof.packaging.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The check of a jar lists the entries that keep it from running on a Storm cluster. */
public final class UberJarCheck {
    /** Storm's own classes end a submission ("multiple defaults.yaml"), a second logging backend spoils the worker's. */
    private static final List<String> FORBIDDEN = List.of(
            "org/apache/storm/", "defaults.yaml",
            "org/slf4j/", "META-INF/services/org.slf4j.",
            "org/apache/logging/", "org/apache/log4j/",
            "ch/qos/", "logback",
            "log4j", "kafka/",
            "scala/", "org/apache/kafka/controller/",
            "org/apache/kafka/raft/", "org/apache/kafka/storage/",
            "org/apache/zookeeper/", "dev/stormproof/cli/local/",
            "dev/stormproof/cli/command/", "org/junit/",
            "org/bouncycastle/", "module-info.class");

    private static final List<String> EXCEPTIONS = List.of("org/apache/storm/kafka/", "kafka/kafka-version.properties");

    private static final List<String> REQUIRED = List.of(
            "dev/stormproof/cli/submit/SubmitCommand.class",
            "dev/stormproof/verify/fold/ChainVerifier.class",
            "org/apache/storm/kafka/spout/KafkaSpout.class",
            "org/apache/kafka/clients/consumer/KafkaConsumer.class",
            "com/dynatrace/hash4j/hashing/Hashing.class",
            "META-INF/services/org.apache.kafka.common.config.provider.ConfigProvider",
            "META-INF/LICENSE");

    private UberJarCheck() {}

    /** The faults of the jar, one line each; empty if it has none. */
    public static List<String> faults(Path jar) throws IOException {
        List<String> faults = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream().map(ZipEntry::getName).forEach(name -> {
                if (isForbidden(name)) {
                    faults.add("forbidden: " + name);
                }
            });
            for (String name : REQUIRED) {
                if (file.getEntry(name) == null) {
                    faults.add("missing: " + name);
                }
            }
            Attributes manifest = Objects.requireNonNull(file.getManifest()).getMainAttributes();
            String main = manifest.getValue(Attributes.Name.MAIN_CLASS);
            if (!"dev.stormproof.cli.submit.SubmitCommand".equals(main)) {
                faults.add("main class: " + main);
            }
        }
        return faults;
    }

    private static boolean isForbidden(String name) {
        if (name.endsWith("/")) {
            return false;
        }
        boolean signature = name.startsWith("META-INF/")
                && Arrays.asList("SF", "DSA", "RSA").contains(name.substring(name.lastIndexOf('.') + 1));
        String withoutVersion = name.replaceFirst("^META-INF/versions/\\d+/", "");
        return signature
                || (FORBIDDEN.stream().anyMatch(withoutVersion::startsWith)
                        && EXCEPTIONS.stream().noneMatch(withoutVersion::startsWith));
    }
}
