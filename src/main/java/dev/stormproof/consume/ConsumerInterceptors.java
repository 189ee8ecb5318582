package dev.stormproof.consume;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application's consumer interceptors see what is handed out, and what of it is committed, and nothing that is held. */
final class ConsumerInterceptors<K, V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerInterceptors.class);

    private final List<ConsumerInterceptor<K, V>> interceptors;

    ConsumerInterceptors(List<ConsumerInterceptor<K, V>> interceptors) {
        this.interceptors = List.copyOf(interceptors);
    }

    ConsumerRecords<K, V> onConsume(ConsumerRecords<K, V> records) {
        ConsumerRecords<K, V> current = records;
        for (ConsumerInterceptor<K, V> interceptor : interceptors) {
            try {
                current = interceptor.onConsume(current);
            } catch (RuntimeException e) { // Kafka's rule: logged, and the records go on as they were.
                LOG.warn("the interceptor {} failed", interceptor.getClass().getName(), e);
            }
        }
        return current;
    }

    void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        for (ConsumerInterceptor<K, V> interceptor : interceptors) {
            try {
                interceptor.onCommit(offsets);
            } catch (RuntimeException e) { // Kafka's rule: logged.
                LOG.warn("the interceptor {} failed", interceptor.getClass().getName(), e);
            }
        }
    }

    @Override
    public void close() {
        interceptors.forEach(interceptor -> Utils.closeQuietly(interceptor, "consumer interceptor"));
    }
}
