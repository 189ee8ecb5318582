package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.sign.EventSigner;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Serializes an application's record, chooses its partition and signs it, once each.
 *
 * <p>It copies the record's headers without the reserved ones, so that an application can send the same record twice, or forward one that it
 * consumed. Safe for many threads if the serializers are, as with KafkaProducer.
 */
final class EventSerialization<K, V> implements AutoCloseable {
    private final Serializer<K> keySerializer;
    private final Serializer<V> valueSerializer;
    private final PartitionChoice partitions;
    private final EmitterConfig emitterConfig;
    private final ThreadLocal<EventSigner> signers;

    /**
     * @param keySerializer closed with this; null for the configured one
     * @param valueSerializer closed with this; null for the configured one
     */
    EventSerialization(
            @Nullable Serializer<K> keySerializer,
            @Nullable Serializer<V> valueSerializer,
            ProducerConfig config,
            EmitterConfig emitterConfig,
            Producer<byte[], byte[]> inner) {
        this.keySerializer = keySerializer != null
                ? keySerializer
                : configured(config, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, true);
        this.valueSerializer = valueSerializer != null
                ? valueSerializer
                : configured(config, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, false);
        this.partitions = new PartitionChoice(inner, config);
        this.emitterConfig = emitterConfig;
        this.signers = ThreadLocal.withInitial(emitterConfig.signers);
    }

    @SuppressWarnings("unchecked") // As KafkaProducer does: the configuration is untyped.
    private static <T> Serializer<T> configured(ProducerConfig config, String key, boolean isKey) {
        Serializer<T> serializer = config.getConfiguredInstance(key, Serializer.class);
        serializer.configure(
                config.originals(
                        Map.of(ProducerConfig.CLIENT_ID_CONFIG, config.getString(ProducerConfig.CLIENT_ID_CONFIG))),
                isKey);
        return serializer;
    }

    /** The serialized record, with its partition and a copy of the application's headers. */
    ProducerRecord<byte[], byte[]> serialize(ProducerRecord<K, V> record) {
        RecordHeaders headers = ownHeaders(record);
        byte[] key = serialize(keySerializer, "key", record.topic(), headers, record.key());
        byte[] value = serialize(valueSerializer, "value", record.topic(), headers, record.value());
        int partition = partitions.choose(record, key, value);
        return new ProducerRecord<>(record.topic(), partition, record.timestamp(), key, value, headers);
    }

    byte[] sign(ProducerRecord<byte[], byte[]> event) {
        EventSigner signer = signers.get();
        byte[] signature = new byte[signer.sizeBytes()];
        signer.sign(event.key(), event.value(), signature, 0);
        return signature;
    }

    private RecordHeaders ownHeaders(ProducerRecord<K, V> record) {
        RecordHeaders headers = new RecordHeaders();
        for (Header header : record.headers().toArray()) {
            if (!isReserved(header.key())) {
                headers.add(header);
            }
        }
        return headers;
    }

    private boolean isReserved(String name) {
        return name.startsWith(EventHeader.RESERVED)
                || name.equals(EventHeader.NAME)
                || (emitterConfig.format == 1 && name.equals(emitterConfig.signatureHeader));
    }

    private static <T> byte @Nullable [] serialize(
            Serializer<T> serializer, String what, String topic, Headers headers, @Nullable T data) {
        try {
            return serializer.serialize(topic, headers, data);
        } catch (ClassCastException e) {
            throw new SerializationException(
                    "Can't convert " + what + " of class "
                            + (data == null ? "null" : data.getClass().getName()) + " with "
                            + serializer.getClass().getName() + ", the " + what + ".serializer",
                    e);
        }
    }

    @Override
    public void close() {
        Utils.closeQuietly(keySerializer, "key serializer");
        Utils.closeQuietly(valueSerializer, "value serializer");
        Utils.closeQuietly(partitions, "partitioner");
    }
}
