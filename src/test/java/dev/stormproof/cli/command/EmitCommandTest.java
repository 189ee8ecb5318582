package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code emit} puts the lines of a file into a topic. */
@OnKafka
class EmitCommandTest {
    @TempDir
    private Path dir;

    @Test
    void lineIGoesToPartitionIModNWithItsHeaderAndCheckpoints(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "emit", 2);

        Shell.Result result = emit(
                        kafka, topic, "--input", lines("a", "b", "c", "", "e").toString(), "--checkpoint-every", "2")
                .ends(ExitCode.VERIFIED);

        assertThat(result.out()).contains("5 events sent to " + topic).contains(topic + "-1  2 events");
        List<ConsumerRecord<byte[], byte[]>> first = read(kafka, topic, 0);
        assertThat(events(first)).containsExactly("a", "c", "e");
        assertThat(events(read(kafka, topic, 1))).containsExactly("b", "");
        assertThat(first)
                .filteredOn(r -> r.headers().lastHeader(EventHeader.NAME) != null)
                .hasSize(3);
        assertThat(first)
                .filteredOn(r -> r.value() == null)
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(r -> r.headers().lastHeader(Format2Checkpoint.HEADER) != null);
    }

    @Test
    void anInputWithoutEndIsSentAsItComesAndSealedWhenInterrupted(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "endless", 1);
        try (Shell.Running emit = Shell.startPiped(
                "dev",
                "emit",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--topic",
                topic,
                "--checkpoint-every",
                "2")) {
            OutputStream pipe = emit.process().getOutputStream();
            pipe.write("a\nb\nc\nd".getBytes(StandardCharsets.UTF_8));
            pipe.flush();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (events(read(kafka, topic, 0)).size() < 3) {
                assertThat(System.nanoTime()).as("no events came").isLessThan(deadline);
            }

            emit.process().toHandle().destroy();

            assertThat(emit.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(emit.await().leftovers()).isEmpty();
        }
        List<ConsumerRecord<byte[], byte[]>> records = read(kafka, topic, 0);
        assertThat(events(records)).containsExactly("a", "b", "c");
        byte[] last = records.get(records.size() - 1)
                .headers()
                .lastHeader(Format2Checkpoint.HEADER)
                .value();
        assertThat(CheckpointCodec.decode(last).closing()).isTrue();
    }

    @Test
    void faultsThatAreAskedForAreInjectedAndAnAuditNamesThem(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "emit-faults", 2);
        String[] words = new String[60];
        Arrays.setAll(words, i -> "line " + i);

        Shell.Result result = emit(
                        kafka,
                        topic,
                        "--input",
                        lines(words).toString(),
                        "--inject",
                        "lose=1,duplicate=1",
                        "--seed",
                        "3")
                .ends(ExitCode.VERIFIED);

        assertThat(result.out()).contains("injected  lose  sequence ", "injected  duplicate  sequence ");
        Shell.Result audit = Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic)
                .ends(ExitCode.VIOLATED);
        assertThat(audit.out()).contains("named anomalies: 2", "  lost  sequence ", "  duplicated  sequence ");
    }

    @Test
    void aTopicThatDoesNotExistIsNamed(EmbeddedKafka kafka) throws Exception {
        Shell.Result result =
                emit(kafka, "no-such-topic", "--input", lines("a").toString()).ends(ExitCode.USAGE);

        assertThat(result.err()).contains("there is no topic no-such-topic").contains("create it first");
        assertThat(result.err().lines()).hasSize(1);
    }

    @Test
    void anUnreachableBrokerIsNamed() throws Exception {
        String nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "127.0.0.1:" + socket.getLocalPort();
        }

        Path impatient = Files.writeString(
                dir.resolve("impatient.properties"), "request.timeout.ms=1000\ndefault.api.timeout.ms=1000\n");
        Shell.Result result = Shell.line("dev emit --bootstrap-server " + nobody + " --command-config " + impatient
                        + " --topic t --input " + lines("a"))
                .ends(ExitCode.FAILED);

        assertThat(result.err())
                .contains("no Kafka broker answers at " + nobody)
                .contains("check the address");
        assertThat(result.err().lines()).hasSize(1);
    }

    private static Shell.Result emit(EmbeddedKafka kafka, String topic, String... more) {
        return Shell.line("dev emit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic, more);
    }

    private Path lines(String... lines) throws IOException {
        return Files.writeString(dir.resolve("input.log"), String.join("\n", lines) + "\n");
    }

    private static List<String> events(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream()
                .filter(r -> r.value() != null)
                .map(r -> new String(r.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(EmbeddedKafka kafka, String topic, int partition) {
        return Clients.committed(kafka, new TopicPartition(topic, partition));
    }
}
