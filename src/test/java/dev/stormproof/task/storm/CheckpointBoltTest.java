package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verifier's bolt before a real broker, driven as Storm drives it. */
@OnKafka
@Timeout(60)
class CheckpointBoltTest {
    private static final int EVENTS = 40;
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;

    CheckpointBoltTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @Test
    void aBoltThatIsClosedLeavesNoThreadBehind() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "bolt", 1);
        List<ProducerRecord<byte[], byte[]>> log = sent(topic);
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "input.topics", topic,
                "group.id", SharedKafka.unique("bolt-group"),
                "alerts.topic", SharedKafka.createTopic(kafka, "bolt-alerts", 1),
                "audit.threads", "3"));
        List<String> before = threads("");
        CheckpointBolt bolt = new CheckpointBolt(config);
        bolt.prepare(Map.of(), TestContexts.task(0, 1), new OutputCollector(new Nobody()));
        try {
            for (ProducerRecord<byte[], byte[]> record : log.subList(5, log.size())) {
                bolt.execute(TestContexts.tuple(delivery(record, log.indexOf(record))));
            }
            assertThat(threads("stormproof-1-audit-")).hasSize(3);
        } finally {
            bolt.cleanup();
        }

        assertThat(threads("stormproof-1-audit-")).isEmpty();
        assertThat(threads(""))
                .filteredOn(thread -> thread.startsWith("kafka-"))
                .isSubsetOf(before);
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
        bolt.prepare(Map.of(), TestContexts.task(0, 1), new OutputCollector(new Nobody()));
        try {
            scene.send(0, 0, 20);
            NotaryScene.await(() -> scene.noted(0) == 20);
        } finally {
            bolt.cleanup();
        }

        assertThat(threads("stormproof-notary-")).isEmpty();
        assertThat(scene.audit().exitCode()).isZero();
    }

    private List<ProducerRecord<byte[], byte[]>> sent(String topic) {
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, EVENTS, EVERY, Map.of());
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (ProducerRecord<byte[], byte[]> record : log) {
                var unused = producer.send(
                        new ProducerRecord<>(topic, record.partition(), null, null, record.value(), record.headers()));
            }
        }
        return log;
    }

    private static Delivery delivery(ProducerRecord<byte[], byte[]> record, long offset) {
        DeliveryLink link = new DeliveryLink(offset, offset - 1, 0);
        HeaderBytes headers = HeaderBytes.of(record.headers(), Header::key, Header::value);
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        return new Delivery(
                partition, link, 0, new RecordContent(record.key(), record.value(), headers, 0, false), null);
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(thread -> thread.startsWith(prefix))
                .toList();
    }

    /** Takes what a bolt says. */
    private static final class Nobody implements IOutputCollector {
        @Override
        public List<Integer> emit(String stream, Collection<Tuple> anchors, List<Object> tuple) {
            return List.of();
        }

        @Override
        public void emitDirect(int task, String stream, Collection<Tuple> anchors, List<Object> tuple) {}

        @Override
        public void ack(Tuple tuple) {}

        @Override
        public void fail(Tuple tuple) {}

        @Override
        public void resetTimeout(Tuple tuple) {}

        @Override
        public void flush() {}

        @Override
        public void reportError(Throwable error) {
            throw new AssertionError(error);
        }
    }
}
