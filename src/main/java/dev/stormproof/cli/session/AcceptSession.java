package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Accepts an alert: finds its last report in the alerts topic, and appends the acceptance to each partition that holds an alert of the id. */
public final class AcceptSession {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Connection connection;
    private final String topic;

    public AcceptSession(Connection connection, String topic) {
        this.connection = connection;
        this.topic = topic;
    }

    /** Accepts an alert as it stands now, and returns it. */
    public Alert accept(String alertId, String by, String reason) throws InterruptedException {
        Found found = find(alertId);
        if (found == null) {
            throw Failure.usage("topic " + topic + " holds no alert " + alertId
                    + "; 'stormproof alerts --json --from-beginning' shows each alert's data.alertId");
        }
        Set<Integer> partitions = new TreeSet<>(found.partitions());
        if (!found.alert().isAlarm()) {
            partitions.remove(found.partition());
        }
        if (partitions.isEmpty()) {
            throw Failure.usage("alert " + alertId + " has been taken back: there is nothing to accept");
        }
        // An open one in another partition stays so there: its readers never see the verdict.
        write(Acceptance.of(found.alert(), System.currentTimeMillis(), by, reason), partitions);
        return found.alert();
    }

    /**
     * An alert, as it was last reported.
     *
     * @param partition of the alerts topic that it is in
     * @param partitions those that any alert of its id is in: where partitions were added, there may be several
     */
    private record Found(Alert alert, int partition, Set<Integer> partitions) {}

    private @Nullable Found find(String alertId) throws InterruptedException {
        AtomicReference<@Nullable Found> found = new AtomicReference<>();
        read(record -> found.set(later(found.get(), record, alertId)));
        return found.get();
    }

    /** Everything that was accepted, the earliest first. */
    public List<Acceptance> acceptances() throws InterruptedException {
        List<Acceptance> accepted = new ArrayList<>();
        read(record -> {
            try {
                if (FindingFeed.reported(record) instanceof Acceptance acceptance) {
                    accepted.add(acceptance);
                }
            } catch (IOException e) {
                // Not one of ours.
            }
        });
        return accepted;
    }

    private void read(Consumer<ConsumerRecord<byte[], byte[]>> reader) throws InterruptedException {
        try (FindingFeed feed = new FindingFeed(connection.clientProperties(), connection.partitions(topic), true)) {
            while (!feed.isAtFirstEnd()) {
                feed.poll(POLL).forEach(reader);
            }
        }
    }

    private static @Nullable Found later(@Nullable Found found, ConsumerRecord<byte[], byte[]> record, String alertId) {
        try {
            if (FindingFeed.reported(record) instanceof Alert alert
                    && alert.finding().id().equals(alertId)) {
                Found before = found != null && found.alert().topicId() == alert.topicId() ? found : null;
                Set<Integer> partitions = before == null ? new TreeSet<>() : new TreeSet<>(before.partitions());
                partitions.add(record.partition());
                return before != null
                                && before.alert().finding().revision()
                                        >= alert.finding().revision()
                        ? new Found(before.alert(), before.partition(), partitions)
                        : new Found(alert, record.partition(), partitions);
            }
        } catch (IOException e) {
            return found; // Not one of ours.
        }
        return found;
    }

    private static byte[] key(Acceptance acceptance) {
        return (acceptance.alertId() + "/accepted").getBytes(UTF_8);
    }

    private void write(Acceptance acceptance, Set<Integer> partitions) throws InterruptedException {
        Map<String, Object> settings = new HashMap<>(connection.clientProperties());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int partition : partitions) {
                write(producer, new ProducerRecord<>(topic, partition, key(acceptance), AlertJson.write(acceptance)));
            }
        }
    }

    private void write(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
            throws InterruptedException {
        record.headers().add("content-type", AlertJson.CONTENT_TYPE.getBytes(UTF_8));
        try {
            var unused = producer.send(record).get();
        } catch (ExecutionException e) {
            throw Failure.own(
                    "the acceptance cannot be written to " + topic + "-" + record.partition() + " at "
                            + connection.bootstrapServers() + ": " + e.getCause(),
                    e);
        }
    }
}
