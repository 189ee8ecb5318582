package dev.stormproof.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.emit.testing.Clients;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnKafka
class EmbeddedKafkaTest {
    @Test
    void aBrokerOnTheSameDirectoryAndPortContinues(@TempDir Path dir) throws Exception {
        int port;
        try (EmbeddedKafka first = EmbeddedKafka.start(0, dir)) {
            port = first.port();
            first.createTopic("kept", 1, Map.of("retention.ms", "-1"));
            produce(first, "kept", 0, "before");
        }
        try (EmbeddedKafka second = EmbeddedKafka.start(port, dir)) {
            assertThat(second.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
            produce(second, "kept", 0, "after");
            assertThat(consume(second, "kept", 0)).containsExactly("before", "after");
        }
        assertThat(dir.resolve("kept-0")).isDirectory();
    }

    @Test
    void aSecondBrokerOnTheSameDirectoryIsRefusedAndTheFirstGoesOn(@TempDir Path dir) throws Exception {
        try (EmbeddedKafka first = EmbeddedKafka.start(0, dir)) {
            first.createTopic("kept", 1, Map.of());

            Shell.Result second = Shell.process("dev", "broker", "--port", "0", "--dir", dir.toString())
                    .ends(70);

            assertThat(second.err())
                    .contains("directory " + dir + " is in use by the broker of process "
                            + ProcessHandle.current().pid())
                    .hasLineCount(1);
            assertThatThrownBy(() -> EmbeddedKafka.start(0, dir)).hasMessageContaining("is in use by the broker");
            produce(first, "kept", 0, "after");
            assertThat(consume(first, "kept", 0)).containsExactly("after");
            assertThat(first.fault()).isEmpty();

            assertThatThrownBy(() -> Exit.halt(1, "on purpose")).isInstanceOf(KafkaException.class);
            assertThat(first.fault()).contains("on purpose");
        }
    }

    @Test
    void aTemporaryDirectoryIsDeletedAndClosingTwiceDoesNothing() throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(0, null, Map.of("num.partitions", "3"));
        assertThat(kafka.dir()).isDirectory();

        kafka.close();
        kafka.close();

        assertThat(kafka.dir()).doesNotExist();
        new ServerSocket(kafka.port()).close();
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedKafka.start(taken.getLocalPort(), null))
                    .isInstanceOf(BindException.class)
                    .hasMessage("port " + taken.getLocalPort() + " on 127.0.0.1 is in use");
        }
    }

    @Test
    void aBrokerThatCannotStartThrowsInsteadOfHaltingTheJvm() {
        assertThatThrownBy(() -> EmbeddedKafka.start(0, null, Map.of("listener.security.protocol.map", "nonsense")))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("listener.security.protocol.map");
    }

    @Test
    void aBrokerThatCouldNotStartLeavesItsDirectoryToTheNextOne(@TempDir Path dir) throws Exception {
        assertThatThrownBy(() -> EmbeddedKafka.start(0, dir, Map.of("listener.security.protocol.map", "nonsense")))
                .isInstanceOf(RuntimeException.class);
        assertThatCode(() -> DirectoryLock.take(dir).close()).doesNotThrowAnyException();
    }

    private static void produce(EmbeddedKafka kafka, String topic, int partition, String... values) throws Exception {
        try (var producer = SharedKafka.producer(kafka)) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, partition, null, bytes(value)))
                        .get();
            }
        }
    }

    private static List<String> consume(EmbeddedKafka kafka, String topic, int partition) {
        return Clients.committed(kafka, new TopicPartition(topic, partition)).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
