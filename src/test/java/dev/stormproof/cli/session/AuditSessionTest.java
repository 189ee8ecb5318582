package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.testing.FaultyLog;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.task.config.StormproofConfig;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What an audit of several partitions at once opens, and in which order it prints. */
@OnKafka
class AuditSessionTest {
    private static final int PARTITIONS = 3 * FaultyLog.PARTITIONS;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    AuditSessionTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.unique("several");
        kafka.createTopic(topic, PARTITIONS, Map.of("retention.ms", "-1"));
        long seed = Long.getLong("seed", 20L);
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            FaultyLog log = new FaultyLog(topic, seed);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                // Those of other partitions are misplaced there: each partition has much to tell.
                List<ProducerRecord<byte[], byte[]>> records =
                        new ArrayList<>(log.first().get(partition % FaultyLog.PARTITIONS));
                records.addAll(log.second().get(partition % FaultyLog.PARTITIONS));
                for (ProducerRecord<byte[], byte[]> record : records) {
                    var unused = producer.send(new ProducerRecord<>(
                            topic, partition, record.timestamp(), record.key(), record.value(), record.headers()));
                }
            }
        }
    }

    private String audit(int threads) {
        StormproofConfig config =
                StormproofConfig.ofReader(Map.of("format1.topics", topic), kafka.bootstrapServers(), topic);
        StringWriter out = new StringWriter();
        TreeSet<Integer> partitions =
                new TreeSet<>(IntStream.range(0, PARTITIONS).boxed().toList());
        try (CloseStack resources = new CloseStack(Terminal.nowhere())) {
            var unused = new AuditSession(
                            config,
                            () -> counted(AuditClients.open(config)),
                            new AuditSession.Request(
                                    topic,
                                    partitions,
                                    AuditScope.WHOLE,
                                    true,
                                    true,
                                    threads,
                                    null,
                                    Findings.CIRCUMSTANCES),
                            resources,
                            Terminal.over(out),
                            Terminal.nowhere())
                    .run();
        }
        return out.toString();
    }

    private AuditClients counted(AuditClients clients) {
        opened.incrementAndGet();
        return new AuditClients(clients.ahead(), closing(clients.back()), clients.admin());
    }

    private LogReader closing(LogReader reader) {
        return new LogReader() {
            @Override
            public PartitionReader of(TopicPartition partition) {
                return reader.of(partition);
            }

            @Override
            public void close() {
                reader.close();
                closed.incrementAndGet();
            }
        };
    }

    @Test
    void whatIsPrintedHasOneOrderWhateverTheNumberOfThreadsAndEachOpensItsClientsOnce() throws Exception {
        String alone = audit(1);
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);

        String together = audit(4);
        assertThat(opened).as("one set for each thread, not for each partition").hasValue(1 + 4);
        assertThat(closed).hasValue(1 + 4);

        assertThat(together).isEqualTo(alone);
        List<Long> places = new ArrayList<>();
        for (String line : alone.lines().toList()) {
            JsonNode data = new ObjectMapper().readTree(line);
            if (data.has("alertId")) {
                places.add(placeOf(data));
            }
        }
        assertThat(places).hasSizeGreaterThan(PARTITIONS * 20).isSorted();
    }

    private static long placeOf(JsonNode data) {
        long offset = data.has("offset")
                ? data.get("offset").asLong()
                : data.get("checkpointOffset").asLong();
        return (data.get("partition").asLong() << 32) + offset;
    }
}
