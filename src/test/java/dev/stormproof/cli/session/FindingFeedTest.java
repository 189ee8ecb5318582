package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a feed reads of topics that change. */
@OnKafka
@Timeout(240)
class FindingFeedTest {
    private final Map<String, Object> properties;
    private final String topic;

    FindingFeedTest(EmbeddedKafka kafka) {
        this.properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
        this.topic = SharedKafka.createTopic(kafka, "alerts", 1);
    }

    @Test
    void aPartitionThatIsAddedIsReadFromItsBeginningAndTheOthersGoOn() throws Exception {
        assertThat(isWritten(0, "before")).isTrue();
        try (FindingFeed feed =
                new FindingFeed(properties, List.of(new TopicPartition(topic, 0)), 0, Duration.ofMillis(100))) {
            assertThat(isWritten(0, "first")).isTrue();
            List<String> found = new ArrayList<>();
            awaitAll(feed, found, "first");

            try (Admin admin = Admin.create(properties)) {
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2)))
                        .all()
                        .get();
            }
            Clients.await("a leader", () -> isWritten(1, "added"));
            assertThat(isWritten(0, "last")).isTrue();
            awaitAll(feed, found, "added", "last");
            assertThat(found).containsExactlyInAnyOrder("first", "added", "last");
        }
    }

    @Test
    void aTopicThatIsExpectedIsReadAsSoonAsItIsThere() throws Exception {
        String later = topic + "-later";
        try (FindingFeed feed =
                new FindingFeed(properties, List.of(new TopicPartition(topic, 0)), 0, Duration.ofMillis(100))) {
            feed.expect(later);
            assertThat(isWritten(0, "first")).isTrue();
            List<String> found = new ArrayList<>();
            awaitAll(feed, found, "first");

            try (Admin admin = Admin.create(properties)) {
                assertThat(admin.listTopics().names().get()).doesNotContain(later);
                admin.createTopics(List.of(new NewTopic(later, 1, (short) 1)))
                        .all()
                        .get();
            }
            Clients.await("a leader", () -> isWritten(later, 0, "verdict"));
            awaitAll(feed, found, "verdict");
        }
    }

    @Test
    void whatCameSinceTheFeedIsThereIsNew() throws Exception {
        assertThat(isWritten(0, "before")).isTrue();
        try (FindingFeed feed = new FindingFeed(properties, List.of(new TopicPartition(topic, 0)), true)) {
            assertThat(isWritten(0, "since")).isTrue();
            List<String> found = new ArrayList<>();
            Clients.await("both", () -> {
                feed.poll(Duration.ofMillis(100))
                        .forEach(record ->
                                found.add(new String(record.value(), UTF_8) + " is new: " + feed.isNew(record)));
                return found.size() == 2;
            });
            assertThat(found).containsExactly("before is new: false", "since is new: true");
        }
    }

    private static void awaitAll(FindingFeed feed, List<String> found, String... values) {
        Clients.await(String.join(", ", values), () -> {
            feed.poll(Duration.ofMillis(100)).forEach(record -> found.add(new String(record.value(), UTF_8)));
            return found.containsAll(List.of(values));
        });
    }

    private boolean isWritten(int partition, String value) {
        return isWritten(topic, partition, value);
    }

    private boolean isWritten(String into, int partition, String value) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(into, partition, null, value.getBytes(UTF_8)))
                    .get();
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
