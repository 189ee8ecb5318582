package dev.stormproof.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.LogRecordParser;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

/** A class path with another kafka-clients than the reader was built with. */
class OtherClientsTest {
    /** Moved by 4.4. */
    private static final String MOVED = "org.apache.kafka.clients.consumer.internals.Fetcher";

    @Test
    void isRefusedInASentenceThatNamesBothVersions() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (OtherClients other = new OtherClients()) {
            Thread.currentThread().setContextClassLoader(other);
            Class<?> readers = other.loadClass(KafkaLogReader.class.getName());
            Method made = readers.getMethod(
                    "ofUncommitted", Map.class, other.loadClass(LogRecordParser.class.getName()), Duration.class);

            assertThatThrownBy(() -> made.invoke(null, Map.of("bootstrap.servers", "localhost:1"), null, Duration.ZERO))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("kafka-clients " + AppInfoParser.getVersion(), "4.3", "class path")
                    .hasCauseInstanceOf(LinkageError.class);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(AppInfoParser.getVersion()).as("the version that is named").startsWith(KafkaLogReader.CLIENTS);
    }

    /** The test's class path without one class. */
    private static final class OtherClients extends URLClassLoader {
        OtherClients() {
            super(
                    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                            .map(OtherClients::url)
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(MOVED)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }
}
