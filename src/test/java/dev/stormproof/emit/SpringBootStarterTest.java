package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/** What of the starter in src/release/starter needs no Spring Boot, compiled here. The whole of it is tried by scripts/check release. */
class SpringBootStarterTest {
    private static final Path SOURCES = Path.of("src/release/starter/src/main/java/dev/stormproof/boot");

    @TempDir
    private static Path classes;

    private static URLClassLoader loader;
    private static Class<?> type;

    private final Object emitters;

    SpringBootStarterTest() throws ReflectiveOperationException {
        this.emitters = type.getConstructor().newInstance();
    }

    @BeforeAll
    static void compile() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiles = compiler.getTask(
                            null,
                            files,
                            null,
                            List.of("-d", classes.toString(), "-proc:none"),
                            null,
                            files.getJavaFileObjects(
                                    SOURCES.resolve("Emitters.java"), SOURCES.resolve("SigningProducers.java")))
                    .call();
            assertThat(compiles).isTrue();
        }
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, SpringBootStarterTest.class.getClassLoader());
        type = loader.loadClass("dev.stormproof.boot.Emitters");
    }

    @AfterAll
    static void unload() throws Exception {
        loader.close();
    }

    @Test
    void oneThatAPoolClosesIsNoTroubleWhileOthersGoOn() throws Exception {
        EmitterRig closed = watched();
        EmitterRig open = watched();
        closed.sendAll(0, "a");
        open.sendAll(1, "b");
        open.clock.addAndGet(1_000);
        closed.producer.close();
        assertThat((List<?>) ask("troubles")).isEmpty();
        assertThat(ask("anyStopped")).isEqualTo(false);
        assertThat(ask("oldestCheckpoint")).isEqualTo(Optional.of(open.stats(1).lastCheckpointMillis()));
        assertThat(ask("events")).isEqualTo(2L);

        open.producer.close();
        assertThat((List<?>) ask("troubles")).hasSize(2);
        assertThat(ask("anyStopped")).isEqualTo(true);
    }

    @Test
    void oneThatEndedWithoutItsLastCheckpointIsTroubleWhoeverGoesOn() throws Exception {
        EmitterRig closed = watched();
        watched().sendAll(1, "b");
        closed.sendAll(0, "a");
        closed.producer.close(Duration.ZERO);
        assertThat((List<?>) ask("troubles"))
                .singleElement()
                .asString()
                .contains("closed without the last checkpoint of t-0");
        assertThat(ask("anyStopped")).isEqualTo(true);
    }

    @Test
    void whatTheApplicationPutsAroundItsProducersIsAroundThoseThatSign() throws Exception {
        Constructor<?> maker =
                loader.loadClass("dev.stormproof.boot.SigningProducers").getDeclaredConstructor(Map.class, type);
        maker.setAccessible(true);
        @SuppressWarnings("unchecked")
        var factory = (DefaultKafkaProducerFactory<Object, Object>) maker.newInstance(
                Map.of(
                        "bootstrap.servers",
                        "localhost:1",
                        "key.serializer",
                        StringSerializer.class,
                        "value.serializer",
                        StringSerializer.class),
                emitters);
        MockProducer<Object, Object> around = new MockProducer<>();
        factory.addPostProcessor(signing -> {
            assertThat(signing).isInstanceOf(CheckpointingProducer.class);
            signing.close();
            return around;
        });
        try (Producer<Object, Object> producer = factory.createNonTransactionalProducer()) {
            assertThat(producer.toString()).contains(around.toString());
        } finally {
            factory.destroy();
        }
        assertThat(around.closed()).isTrue();
    }

    private EmitterRig watched() throws ReflectiveOperationException {
        EmitterRig rig = new EmitterRig(true);
        Object unused = type.getMethod("watch", CheckpointingProducer.class).invoke(emitters, rig.producer);
        return rig;
    }

    private Object ask(String what) throws ReflectiveOperationException {
        Method method = type.getDeclaredMethod(what);
        method.setAccessible(true);
        return method.invoke(emitters);
    }
}
