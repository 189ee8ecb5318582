import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;

/** The fault: copies a topic, each partition with its headers, without one event of the middle; prints what finds it again. */
class LoseOne {
    public static void main(String[] args) throws Exception {
        String topic = args[1];
        try (var from = new KafkaConsumer<>(
                        Map.<String, Object>of("bootstrap.servers", args[0]),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
                var to = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", args[0], "acks", "all"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            var partitions = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
            from.assign(partitions);
            from.seekToBeginning(partitions);
            var ends = from.endOffsets(partitions);
            int events = 0;
            while (partitions.stream().anyMatch(each -> from.position(each) < ends.get(each))) {
                for (var record : from.poll(Duration.ofSeconds(1))) {
                    boolean event = record.headers().lastHeader("sp-e") != null;
                    if (event && record.partition() == 0 && ++events == 100) {
                        System.out.print("\"kind\":\"lost\",\"begin\":99,\"end\":100");
                        continue;
                    }
                    to.send(new ProducerRecord<>(
                            topic + "-copy", record.partition(), record.key(), record.value(), record.headers()));
                }
            }
        }
    }
}
