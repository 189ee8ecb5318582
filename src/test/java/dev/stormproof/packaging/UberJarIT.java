package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.Stages;
import dev.stormproof.packaging.testing.UberJarCheck;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars are the ones that {@code package} made; failsafe says where they are. */
@Tag(Stages.CLUSTER)
class UberJarIT {
    /** The jars on the class path of a Storm worker that the topology needs, by the beginnings of their names. */
    private static final List<String> WORKER_JARS = List.of(
            "storm-client-", "storm-shaded-deps-",
            "slf4j-api-", "log4j-api-",
            "log4j-core-", "kryo-",
            "reflectasm-", "objenesis-",
            "minlog-", "metrics-core-4");

    private final Path jar = Path.of(Objects.requireNonNull(System.getProperty("stormproof.uber.jar")));

    @TempDir
    Path directory;

    @Test
    void holdsWhatTheClusterNeedsAndNothingThatItHas() throws IOException {
        assertThat(UberJarCheck.faults(jar)).isEmpty();
    }

    /** Of the jar that applications depend on as well: they configure their logging themselves. */
    @Test
    void noJarConfiguresLogging() throws IOException {
        for (Path each : List.of(jar, Path.of(Objects.requireNonNull(System.getProperty("stormproof.jar"))))) {
            try (JarFile entries = new JarFile(each.toFile())) {
                assertThat(entries.stream().map(JarEntry::getName))
                        .as(each.toString())
                        .contains("dev/stormproof/emit/CheckpointingProducer.class")
                        .noneMatch(name -> name.matches("(logback|log4j|simplelogger|logging).*"));
            }
        }
    }

    @Test
    void isSmallEnoughToBeSubmitted() throws IOException {
        assertThat(Files.size(jar)).isLessThan(40_000_000);
    }

    @Test
    void theTopologyCanBeBuiltFromItAndAWorkersClassPathAlone() throws Exception {
        try (URLClassLoader worker = worker()) {
            Class<?> config = worker.loadClass("dev.stormproof.task.config.StormproofConfig");
            Constructor<?> constructor = config.getConstructor(Map.class);
            Object settings = constructor.newInstance(Map.of(
                    "bootstrap.servers", "127.0.0.1:9092",
                    "input.topics", "orders",
                    "group.id", "g",
                    "transform", "log-json"));
            Class<?> topology = worker.loadClass("dev.stormproof.task.storm.VerificationTopology");

            Object built = topology.getMethod("build", config).invoke(null, settings);

            assertThat(built.toString()).contains("transform");
            assertThat(built.getClass().getClassLoader()).isSameAs(worker);
        }
    }

    @Test
    void signaturesAreMadeAndVerifiedByWhatItHoldsOfBouncyCastle() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] data = Arrays.copyOf("signed".getBytes(StandardCharsets.US_ASCII), 6 + 64);
        try (URLClassLoader worker = worker()) {
            Class<?> signatures = worker.loadClass("dev.stormproof.proof.sign.Ed25519Signatures");
            Object key = call(signatures, "privateKey", pair.getPrivate().getEncoded());
            byte[] signature = (byte[]) call(signatures, "sign", key, data, 6);
            System.arraycopy(signature, 0, data, 6, signature.length);

            Object verified = call(
                    signatures,
                    "verify",
                    call(signatures, "publicKey", pair.getPublic().getEncoded()),
                    data,
                    6);

            assertThat(verified).isEqualTo(true);
            assertThat(key.getClass().getName()).startsWith("dev.stormproof.shaded.");
        }
    }

    private static boolean takes(Method method, Object... arguments) {
        Class<?>[] types = method.getParameterTypes();
        return types.length == arguments.length
                && IntStream.range(0, types.length)
                        .allMatch(i -> MethodType.methodType(types[i])
                                .wrap()
                                .returnType()
                                .isInstance(arguments[i]));
    }

    private static Object call(Class<?> type, String name, Object... arguments) throws Exception {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && takes(method, arguments)) {
                method.setAccessible(true);
                return method.invoke(null, arguments);
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** What a worker loads from: the jar and Storm's, nothing else. */
    private URLClassLoader worker() throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(jar.toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            String name = String.valueOf(path.getFileName());
            if (WORKER_JARS.stream().anyMatch(name::startsWith)) {
                urls.add(path.toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
