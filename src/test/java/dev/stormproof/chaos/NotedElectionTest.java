package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.chaos.testing.ThreeBrokers;
import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.notary.NotaryTask;
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

    /** A partition of one replica whose broker is down: the others get their notes meanwhile, and it gets its own afterwards. */
    @Test
    void aPartitionWithoutALeaderKeepsNoOtherFromItsNotes(@TempDir Path dir) throws Exception {
        String topic = "noted-of-two";
        TopicPartition away = new TopicPartition(topic, 0);
        try (ThreeBrokers brokers = ThreeBrokers.start(dir.resolve("brokers"));
                TopicControl control = new TopicControl(brokers.servers())) {
            NotaryScene scene = new NotaryScene(brokers.servers(), topic, dir);
            brokers.createTopic(topic, 2);
            brokers.createTopic(topic + "-notes", 1);
            control.set(topic, Map.of("min.insync.replicas", Optional.of("1")));
            control.reassign(Map.of(away, List.of(2)));
            scene.send(0, 0, 5);
            scene.send(1, 0, 5);
            StormproofConfig config = scene.config("notary.tiles", "");
            try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config))) {
                task.round();
                brokers.stop(2);
                control.await(List.of(topic), "without a leader", one -> one.partition() > 0 ^ one.leader() == null);
                scene.send(1, 5, 9);
                NotaryScene.await(() -> {
                    boolean unused = task.round();
                    return scene.noted(1) == 9;
                });

                brokers.start(2);
                control.await(List.of(topic), "led", one -> one.leader() != null);
                scene.send(0, 5, 7);
                NotaryScene.await(() -> {
                    boolean unused = task.round();
                    return scene.noted(0) == 7;
                });
            }
            scene.assertOneChain();
        }
    }

    private static void assertTold(Shell.Result audit) {
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(audit.out()).contains("truncated: ", LOST).doesNotContain("altered:", "lost:", "not compared");
    }
}
