package dev.stormproof.examples;

import dev.stormproof.emit.CheckpointingProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * A trial of the emitter with the kafka-clients of the class path, which need not be those that it was compiled against: events
 * with and without keys, and transactions of which some are aborted. {@code scripts/check clients} audits what it writes.
 */
public final class ClientTrial {
    static final int EVENTS = 2_000;
    static final int TRANSACTIONS = 20;
    private static final int EVENTS_OF_A_TRANSACTION = 50;
    /** One transaction in so many is aborted. */
    private static final int ABORTED = 5;

    private ClientTrial() {}

    /** Takes the servers and a prefix of the topics' names; says which kafka-clients it used. */
    public static void main(String[] arguments) throws Exception {
        TrialSetting trial = TrialSetting.create(arguments);
        try (Producer<String, String> producer = new CheckpointingProducer<>(trial.config())) {
            sendAll(producer, trial.topic(), EVENTS);
        }
        try (Producer<String, String> producer = new CheckpointingProducer<>(trial.transactional())) {
            producer.initTransactions();
            for (int i = 1; i <= TRANSACTIONS; i++) {
                producer.beginTransaction();
                sendAll(producer, trial.transactionsTopic(), EVENTS_OF_A_TRANSACTION);
                if (i % ABORTED == 0) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        System.out.println("kafka-clients " + AppInfoParser.getVersion());
    }

    private static void sendAll(Producer<String, String> producer, String topic, int count) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = i % 2 == 0 ? null : "key " + i % 100;
            sent.add(producer.send(new ProducerRecord<>(topic, key, "event " + i)));
        }
        producer.flush();
        for (Future<?> each : sent) {
            each.get();
        }
    }
}
