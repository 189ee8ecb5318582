package dev.stormproof.examples;

import java.util.Map;
import org.springframework.kafka.core.KafkaTemplate;

/** A trial of {@link SpringProducers} with the Spring Kafka of the class path, with transactions and without. */
public final class SpringTrial {
    private static final int EVENTS = 1_000;

    private SpringTrial() {}

    /** Takes the servers and a prefix of the topics' names; says which Spring Kafka it used. */
    public static void main(String[] arguments) throws Exception {
        TrialSetting trial = TrialSetting.create(arguments);
        send(trial.config(), trial.topic());
        send(trial.transactional(), trial.transactionsTopic());
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
