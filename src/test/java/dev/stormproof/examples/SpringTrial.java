package dev.stormproof.examples;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.kafka.core.KafkaTemplate;

/** A trial of {@link SpringProducers} with the Spring Kafka of the class path, with transactions and without. */
public final class SpringTrial {
    private static final int EVENTS = 1_000;

    private SpringTrial() {}

    /** Takes the servers and a prefix of the topics' names; says which Spring Kafka it used. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", arguments[0]);
        config.put("key.serializer", StringSerializer.class.getName());
        config.put("value.serializer", StringSerializer.class.getName());
        String topic = arguments[1];
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(
                            new NewTopic(topic, 2, (short) 1), new NewTopic(topic + "-transactions", 2, (short) 1)))
                    .all()
                    .get();
        }
        send(config, topic);
        config.put("transactional.id", topic);
        send(config, topic + "-transactions");
        System.out.println("Spring Kafka " + KafkaTemplate.class.getPackage().getImplementationVersion());
    }

    private static void send(Map<String, Object> config, String topic) {
        SpringProducers<String, String> producers = new SpringProducers<>(config);
        try {
            KafkaTemplate<String, String> template = new KafkaTemplate<>(producers);
            if (!producers.transactionCapable()) {
                sendAll(template, topic);
            } else {
                for (int i = 0; i < 5; i++) {
                    template.executeInTransaction(operations -> {
                        var unused = operations.send(topic, "in a transaction");
                        return true;
                    });
                }
            }
        } finally {
            producers.destroy();
        }
    }

    private static void sendAll(KafkaTemplate<String, String> template, String topic) {
        for (int i = 0; i < EVENTS; i++) {
            var unused = template.send(topic, "key " + i % 10, "event " + i);
        }
        template.flush();
    }
}
