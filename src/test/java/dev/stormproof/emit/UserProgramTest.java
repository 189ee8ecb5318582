package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.LoggedPartition;
import java.io.File;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user changes the constructor of his producer, and nothing else. */
@OnKafka
class UserProgramTest {
    private static final String BEFORE = "new org.apache.kafka.clients.producer.KafkaProducer<>(settings)";
    private static final String AFTER = "new dev.stormproof.emit.CheckpointingProducer<>(settings)";

    private static final String PROGRAM = """
            public class Shop {
                public static void main(String[] args) throws Exception {
                    var settings = new java.util.Properties();
                    settings.put("bootstrap.servers", args[0]);
                    settings.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
                    settings.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
                    try (org.apache.kafka.clients.producer.Producer<String, String> producer = %s) {
                        for (int i = 0; i < 100; i++) {
                            producer.send(new org.apache.kafka.clients.producer.ProducerRecord<>(args[1], "k", "order " + i));
                        }
                    }
                }
            }
            """;

    @Test
    void aProgramThatOnlyChangesTheConstructorIsProven(EmbeddedKafka kafka, @TempDir Path classes) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "shop", 3);
        String program = PROGRAM.formatted(BEFORE).replace(BEFORE, AFTER);
        assertThat(program.lines().filter(line -> !PROGRAM.formatted(BEFORE).contains(line)))
                .hasSize(1);

        run(program, classes, kafka.bootstrapServers(), topic);

        int partitionOfKey = 0;
        for (LoggedPartition log : LoggedPartition.readAll(kafka, topic, 3)) {
            log.assertProven();
            if (!log.streams.isEmpty()) {
                partitionOfKey++;
                assertThat(log.texts())
                        .isEqualTo(IntStream.range(0, 100)
                                .mapToObj(i -> "order " + i)
                                .toList());
            }
        }
        assertThat(partitionOfKey).isOne();
    }

    private static Path home(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void run(String program, Path classes, String... arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Shop.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return program;
                    }
                };
        List<String> options = List.of(
                "-d",
                classes.toString(),
                "-proc:none",
                "-classpath",
                home(KafkaProducer.class) + File.pathSeparator + home(CheckpointingProducer.class));
        boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
        assertThat(classes.resolve("Shop.class")).isRegularFile();
        assertThat(Files.size(classes.resolve("Shop.class"))).isPositive();
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, UserProgramTest.class.getClassLoader())) {
            Method main = loader.loadClass("Shop").getMethod("main", String[].class);
            main.invoke(null, (Object) arguments);
        }
    }
}
