package dev.stormproof.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    /** Another process, which holds the lock until its input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (DirectoryLock lock = DirectoryLock.take(Path.of(arguments[0]))) {
                System.out.println(lock != null ? "held" : "not held");
                while (System.in.read() >= 0) {}
            }
        }
    }

    @Test
    void theLockOfAnotherProcessIsHeededUntilThatEnds(@TempDir Path dir) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        dir.toString())
                .start();
        try (BufferedReader out = other.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("held");
            assertThatThrownBy(() -> DirectoryLock.take(dir))
                    .isInstanceOf(KafkaException.class)
                    .hasMessage("directory " + dir + " is in use by the broker of process " + other.pid());
            other.getOutputStream().close();
            assertThat(other.waitFor()).isZero();
            DirectoryLock.take(dir).close();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void itsOwnLockIsHeededToo(@TempDir Path dir) throws Exception {
        try (DirectoryLock lock = DirectoryLock.take(dir)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> DirectoryLock.take(dir)).isInstanceOf(KafkaException.class);
        }
    }
}
