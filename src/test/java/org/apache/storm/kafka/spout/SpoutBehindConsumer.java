package org.apache.storm.kafka.spout;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.storm.kafka.spout.internal.ClientFactory;

/** Storm's own KafkaSpout reading from a given consumer; in this package for its constructor's sake. */
public final class SpoutBehindConsumer {
    private SpoutBehindConsumer() {}

    /** Puts a consumer behind a spout that was made already; it has no constructor for that which others may call. */
    public static <K, V, S extends KafkaSpout<K, V>> S putBehind(S spout, Consumer<K, V> consumer) {
        try {
            Field factory = KafkaSpout.class.getDeclaredField("kafkaClientFactory");
            factory.setAccessible(true);
            factory.set(spout, new OneConsumer<>(consumer));
            return spout;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("another Storm", e);
        }
    }

    private record OneConsumer<K, V>(Consumer<K, V> consumer) implements ClientFactory<K, V> {
        @Override
        public Consumer<K, V> createConsumer(Map<String, Object> properties) {
            return consumer;
        }

        @Override
        public Admin createAdmin(Map<String, Object> properties) {
            return (Admin) Proxy.newProxyInstance(
                    Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> null);
        }
    }
}
