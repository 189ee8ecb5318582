package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code release} writes a release into Kafka, and says so to people or to a program. */
@OnKafka
@Timeout(60)
class ResumeCommandTest {
    @TempDir
    private Path dir;

    private final EmbeddedKafka kafka;
    private final String topic;

    ResumeCommandTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "released", 3);
    }

    private Shell.Result release(String... options) throws Exception {
        return releaseWith("", options);
    }

    private Shell.Result releaseWith(String setting, String... options) throws Exception {
        Path config = dir.resolve("verify.properties");
        Files.write(
                config,
                List.of(
                        "bootstrap.servers=" + kafka.bootstrapServers(),
                        "group.id=" + topic,
                        "input.topics=" + topic,
                        "output.topic=" + topic + "-out",
                        setting));
        return Shell.line("output resume --config " + config + " --topic " + topic + " --partition 2", options);
    }

    @Test
    void aReleaseIsWrittenAndPrinted() throws Exception {
        Shell.Result released = release("--offset", "4711", "--retry").ends(0);

        assertThat(released.out()).startsWith("released " + topic + "-2@4711 to retry:");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Map<TopicPartition, OffsetAndMetadata> written = admin.listConsumerGroupOffsets(topic + "-release")
                    .partitionsToOffsetAndMetadata()
                    .get();
            assertThat(written).containsOnlyKeys(new TopicPartition(topic, 2));
            assertThat(written.values())
                    .singleElement()
                    .satisfies(place -> assertThat(place.offset()).isEqualTo(4711));
        }
    }

    @Test
    void aDiversionThatHasNoTopicToGoToIsWarnedOf() throws Exception {
        Shell.Result held = releaseWith("output.hold=verified", "--offset", "4711", "--divert")
                .ends(0);

        assertThat(held.err())
                .contains("warning: there is no diverted.topic: if the output is halted because the transform failed");
        assertThat(release("--offset", "4711", "--divert").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void whatIsNotReleasedPrintsNothing() throws Exception {
        Shell.Result refused = release("--offset", "-1", "--retry").ends(ExitCode.USAGE);

        assertThat(refused.out()).isEmpty();
    }
}
