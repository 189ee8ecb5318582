package dev.stormproof.emit;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's producer interceptors, which get its records before they are signed, and never a checkpoint. The inner producer has none,
 * because they would change signed records.
 */
final class Interceptors<K, V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Interceptors.class);

    private final List<ProducerInterceptor<K, V>> interceptors;

    @SuppressWarnings("unchecked") // As KafkaProducer does: the configuration is untyped.
    Interceptors(ProducerConfig config) {
        this.interceptors = (List<ProducerInterceptor<K, V>>) (List<?>) config.getConfiguredInstances(
                ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
                ProducerInterceptor.class,
                Map.of(ProducerConfig.CLIENT_ID_CONFIG, config.getString(ProducerConfig.CLIENT_ID_CONFIG)));
    }

    ProducerRecord<K, V> onSend(ProducerRecord<K, V> record) {
        ProducerRecord<K, V> current = record;
        for (ProducerInterceptor<K, V> interceptor : interceptors) {
            try {
                current = interceptor.onSend(current);
            } catch (RuntimeException e) { // Kafka's rule: logged, and the record goes on as it was.
                LOG.warn("the interceptor {} failed", interceptor.getClass().getName(), e);
            }
        }
        return current;
    }

    void onEnd(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        for (ProducerInterceptor<K, V> interceptor : interceptors) {
            try {
                interceptor.onAcknowledgement(metadata, exception);
            } catch (RuntimeException e) { // Kafka's rule: logged.
                LOG.warn("the interceptor {} failed", interceptor.getClass().getName(), e);
            }
        }
    }

    /** A callback that calls the interceptors first; null if there is none to call. */
    @Nullable
    Callback before(@Nullable Callback callback) {
        if (interceptors.isEmpty()) {
            return callback;
        }
        return (metadata, exception) -> {
            onEnd(metadata, exception);
            if (callback != null) {
                callback.onCompletion(metadata, exception);
            }
        };
    }

    @Override
    public void close() {
        interceptors.forEach(interceptor -> Utils.closeQuietly(interceptor, "producer interceptor"));
    }
}
