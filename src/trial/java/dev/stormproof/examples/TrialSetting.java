package dev.stormproof.examples;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topics of a trial, and the configuration of its producers: one topic for events, another for those in transactions. */
record TrialSetting(Map<String, Object> config, String topic) {
    /** Creates the topics; takes the arguments of a trial, its servers and the prefix of its topics' names. */
    static TrialSetting create(String[] arguments) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", arguments[0]);
        config.put("key.serializer", StringSerializer.class.getName());
        config.put("value.serializer", StringSerializer.class.getName());
        TrialSetting setting = new TrialSetting(config, arguments[1]);
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(
                            new NewTopic(setting.topic, 2, (short) 1),
                            new NewTopic(setting.transactionsTopic(), 2, (short) 1)))
                    .all()
                    .get();
        }
        return setting;
    }

    String transactionsTopic() {
        return topic + "-transactions";
    }

    /** The configuration of a producer with transactions. */
    Map<String, Object> transactional() {
        Map<String, Object> transactional = new HashMap<>(config);
        transactional.put("transactional.id", topic);
        return transactional;
    }
}
