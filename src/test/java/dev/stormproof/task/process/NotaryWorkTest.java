package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.notary.NotaryTask;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The notary as a work of a process's task. */
@OnKafka
@Timeout(180)
class NotaryWorkTest {
    private final NotaryScene scene;

    NotaryWorkTest(EmbeddedKafka kafka, @TempDir Path dir) throws Exception {
        this.scene = new NotaryScene(kafka, dir, 1);
    }

    /** Anybody who may write to the notes topic can leave a transaction open there: that ends no process with all of its tasks. */
    @Test
    void aTaskWhoseLastNoteAnOpenTransactionHidesWaitsForItsEnd() throws Exception {
        StormproofConfig config = scene.config();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        ProcessTask task = ProcessTask.of(
                config, 0, new NotaryWork(config, 0, NotaryTask.key(config)), (thread, thrown) -> failure.set(thrown));
        scene.send(0, 0, 5);
        scene.notarize(config);
        try (Producer<String, String> stranger = scene.producer("transactional.id", scene.topic + "-stranger")) {
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.send(new ProducerRecord<>(scene.topic + "-notes", "of nobody"))
                    .get();
            scene.send(0, 5, 10);
            scene.notarize(config);
            scene.send(0, 10, 15);
            task.start();
            NotaryScene.await(() -> task.state() == ProcessTask.State.VERIFIES || failure.get() != null);
            stranger.abortTransaction();
        } finally {
            task.stop();
            task.awaitEnd(30_000);
        }
        assertThat(failure.get()).isNull();
        assertThat(task.state()).isEqualTo(ProcessTask.State.STOPPED);
        scene.notarize(config);
        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(15);
    }
}
