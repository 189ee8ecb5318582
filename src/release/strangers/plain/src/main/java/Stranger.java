import dev.stormproof.emit.CheckpointingProducer;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

class Stranger {
    public static void main(String[] args) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", args[0],
                "key.serializer", StringSerializer.class,
                "value.serializer", StringSerializer.class);
        try (Producer<String, String> producer = new CheckpointingProducer<>(properties)) {
            for (int i = 0; i < 500; i++) {
                producer.send(new ProducerRecord<>(args[1], "key" + i, "value " + i));
            }
        }
    }
}
