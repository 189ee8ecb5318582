package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.chaos.testing.ThreeBrokers;
import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An unclean election among three real brokers that loses records which a notary has noted.
 *
 * <pre>
 *   broker 1  ── 0 … 9 │note 0│ ── 10 … 19 │note 1│ ──✗
 *   broker 2  ── 0 … 9 ──✗                              elected ── 10, 11 │note 2│
 * </pre>
 */
@Tag(Stages.CLUSTER)
@Timeout(300)
class NotedElectionTest {
    private static final TopicPartition PARTITION = new TopicPartition("noted", 0);
    private static final String LOST = "noted from offset 10 to 19 are gone; ";

    @Test
    void whatAnUncleanElectionLosesIsToldBeforeAndAfterTheNotaryGoesOn(@TempDir Path dir) throws Exception {
        String topic = PARTITION.topic();
        try (ThreeBrokers brokers = ThreeBrokers.start(dir.resolve("brokers"));
                TopicControl control = new TopicControl(brokers.servers())) {
            NotaryScene scene = new NotaryScene(brokers.servers(), topic, dir);
            for (String each : List.of(topic, topic + "-notes", topic + "-tiles")) {
                brokers.createTopic(each, 1);
            }
            control.set(topic + "-tiles", Map.of("cleanup.policy", Optional.of("compact")));
            control.set(
                    topic,
                    Map.of(
                            "min.insync.replicas", Optional.of("1"),
                            "unclean.leader.election.enable", Optional.of("true")));
            control.reassign(Map.of(PARTITION, List.of(1, 2)));
            control.elect(ElectionType.PREFERRED, Map.of(PARTITION, 1));
            scene.send(0, 0, 10);
            scene.notarize(scene.config());
            brokers.stop(2);
            scene.send(0, 10, 20);
            scene.notarize(scene.config(), 0, 20);

            brokers.stop(1);
            brokers.start(2);
            control.elect(ElectionType.UNCLEAN, Map.of(PARTITION, 2));
            brokers.start(1);
            control.awaitInSync();

            Shell.Result cut = scene.audit("--tiles", topic + "-tiles");
            assertTold(cut);
            assertThat(cut.out()).contains("the last note before is 0", "10 records as they were noted");
            scene.send(0, 20, 22);
            scene.notarize(scene.config());
            Shell.Result audit = scene.audit("--tiles", topic + "-tiles");
            assertTold(audit);
            assertThat(audit.out()).contains("12 records as they were noted");
        }
    }

    private static void assertTold(Shell.Result audit) {
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(audit.out()).contains("truncated: ", LOST).doesNotContain("altered:", "lost:", "not compared");
    }
}
