package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.producerSettings;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.fault.FaultInjector;
import dev.stormproof.fault.FaultKind;
import dev.stormproof.fault.FaultPlan;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The injector behind the signer, before a real broker: the log has exactly the faults that it recorded. */
@OnKafka
class InjectedFaultsOnKafkaTest {
    private static final int PARTITIONS = 3;
    private static final int EVENTS = 400;
    private static final int EVERY = 20;

    @Test
    void theLogHasTheRecordedFaultsAndNoOthers(EmbeddedKafka kafka) {
        Map<FaultKind, Integer> counts = new HashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            counts.put(kind, 6);
        }
        for (long seed = 1; seed <= 5; seed++) {
            String topic = SharedKafka.createTopic(kafka, "faulty", PARTITIONS);
            Map<TopicPartition, Integer> events = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                events.put(new TopicPartition(topic, partition), EVENTS);
            }
            List<InjectedFault> injected = emit(kafka, topic, FaultPlan.of(events, counts, EVERY, seed));
            assertThat(injected).hasSize(30);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                int here = partition;
                List<InjectedFault> ofPartition = injected.stream()
                        .filter(fault -> fault.partition() == here)
                        .toList();
                List<String> log = read(kafka, topic, partition);
                assertThat(log).as("seed " + seed + ", partition " + partition).isEqualTo(expected(ofPartition, log));
            }
        }
    }

    private static List<InjectedFault> emit(EmbeddedKafka kafka, String topic, FaultPlan plan) {
        AtomicReference<FaultInjector> injector = new AtomicReference<>();
        try (var producer = new CheckpointingProducer<>(
                producerSettings(kafka, EmitterConfig.MAX_EVENTS, EVERY),
                new StringSerializer(),
                new StringSerializer(),
                settings -> {
                    injector.set(new FaultInjector(new KafkaProducer<>(settings), plan));
                    return requireNonNull(injector.get());
                })) {
            for (int i = 0; i < EVENTS; i++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    Future<RecordMetadata> unused =
                            producer.send(new ProducerRecord<>(topic, partition, null, "event " + i));
                }
            }
        }
        return requireNonNull(injector.get()).injected();
    }

    /** What must lie in the log: the events in order, the checkpoints in between, and the faults on top. */
    private static List<String> expected(List<InjectedFault> faults, List<String> log) {
        List<String> lines = new ArrayList<>();
        lines.add("checkpoint 0 of 0");
        for (int i = 0; i < EVENTS; i++) {
            lines.add(i + " event " + i);
            if (i % EVERY == EVERY - 1) {
                lines.add("checkpoint " + (i / EVERY + 1) + " of " + EVERY);
            }
        }
        lines.add("checkpoint " + (EVENTS / EVERY + 1) + " of 0");
        for (InjectedFault fault : faults) {
            String line = fault.sequence() + " event " + fault.sequence();
            int at = lines.indexOf(line);
            switch (fault.kind()) {
                case LOSE -> lines.remove(at);
                case DUPLICATE -> lines.add(at, line);
                case SWAP -> {
                    lines.remove(at);
                    lines.add(lines.indexOf(fault.otherSequence() + " event " + fault.otherSequence()) + 1, line);
                }
                case MOVE -> {
                    // How far it moved is the plan's affair; it must not be in its place, nor further than an interval.
                    lines.remove(at);
                    int found = log.indexOf(line);
                    String before = log.get(found - 1);
                    int distance = Integer.parseInt(before.substring(0, before.indexOf(' '))) - (int) fault.sequence();
                    assertThat(distance).isBetween(2, EVERY);
                    lines.add(found, line);
                }
                case ALTER -> lines.set(at, fault.sequence() + " ALTERED");
            }
        }
        return lines;
    }

    private static List<String> read(EmbeddedKafka kafka, String topic, int partition) {
        TopicPartition one = new TopicPartition(topic, partition);
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "auto.offset.reset",
                "earliest",
                // Closing waits for the fetch that is in flight.
                "fetch.max.wait.ms",
                10);
        List<String> lines = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(one));
            long end = requireNonNull(consumer.endOffsets(List.of(one)).get(one));
            for (ConsumerRecord<byte[], byte[]> record : Clients.poll(consumer, (int) end)) {
                lines.add(lineOf(record));
            }
        }
        return lines;
    }

    private static String lineOf(ConsumerRecord<byte[], byte[]> record) {
        try {
            Header event = record.headers().lastHeader(EventHeader.NAME);
            if (event == null) {
                Format2Checkpoint checkpoint =
                        CheckpointCodec.decode(requireNonNull(record.headers().lastHeader(Format2Checkpoint.HEADER))
                                .value());
                return "checkpoint " + checkpoint.number() + " of " + checkpoint.eventCount();
            }
            long sequence = EventHeader.decode(event.value()).sequence();
            String value = new String(record.value(), StandardCharsets.UTF_8);
            return sequence + " " + (value.equals("event " + sequence) ? value : "ALTERED");
        } catch (MalformedCheckpointException e) {
            throw new AssertionError(e);
        }
    }
}
