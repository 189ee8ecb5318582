package dev.stormproof.chaos;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.StreamId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The acknowledged events are those that brokers said they have, whatever became of them afterwards. */
final class AcknowledgedEvents {
    private final Map<StreamId, Set<Long>> sequences = new ConcurrentHashMap<>();

    /** A producer whose acknowledged events are noted. */
    Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
                return super.send(record, (metadata, exception) -> {
                    if (exception == null) {
                        note(record);
                    }
                    if (callback != null) {
                        callback.onCompletion(metadata, exception);
                    }
                });
            }
        };
    }

    private void note(ProducerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(EventHeader.NAME);
        if (header == null) {
            return; // A checkpoint.
        }
        try {
            EventHeader event = EventHeader.decode(header.value());
            sequences
                    .computeIfAbsent(
                            new StreamId(record.topic(), record.partition(), event.emitter()),
                            first -> ConcurrentHashMap.newKeySet())
                    .add(event.sequence());
        } catch (MalformedCheckpointException e) {
            throw new IllegalStateException("no emitter writes this", e);
        }
    }

    /** Those that a log does not hold, each as the fault that it is. */
    List<InjectedFault> missingIn(RoundLog log) {
        return sequences.entrySet().stream()
                .flatMap(stream -> stream.getValue().stream()
                        .filter(sequence -> log.of(stream.getKey()).copies(sequence) == 0)
                        .map(sequence -> lost(stream.getKey(), sequence)))
                .toList();
    }

    private static InjectedFault lost(StreamId stream, long sequence) {
        return new InjectedFault(FaultKind.LOSE, stream.topic(), stream.partition(), sequence, -1, stream.emitter());
    }
}
