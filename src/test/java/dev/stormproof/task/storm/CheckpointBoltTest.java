package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.testing.TestContexts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verifier's bolt before a real broker, driven as Storm drives it. */
@OnKafka
@Timeout(60)
class CheckpointBoltTest {
    private final EmbeddedKafka kafka;

    CheckpointBoltTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @Test
    void aBoltNotarizesBesideUntilItIsClosed(@TempDir Path dir) throws Exception {
        NotaryScene scene = new NotaryScene(kafka, dir, 1);
        StormproofConfig config = scene.config(
                "input.topics",
                scene.topic,
                "alerts.topic",
                SharedKafka.createTopic(kafka, "bolt-alerts", 1),
                "unsigned.events",
                "ignore");
        CheckpointBolt bolt = new CheckpointBolt(config);
        TransformBoltTest.Collected collected = new TransformBoltTest.Collected();
        bolt.prepare(Map.of(), TestContexts.task(0, 1), new OutputCollector(collected));
        try {
            scene.send(0, 0, 20);
            NotaryScene.await(() -> scene.noted(0) == 20);
        } finally {
            bolt.cleanup();
        }

        assertThat(collected.errors).isEmpty();
        assertThat(threads("stormproof-notary-")).isEmpty();
        assertThat(scene.audit().exitCode()).isZero();
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(thread -> thread.startsWith(prefix))
                .toList();
    }
}
