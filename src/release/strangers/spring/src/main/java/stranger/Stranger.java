package stranger;

import dev.stormproof.emit.CheckpointingProducer;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.springframework.boot.*;
import org.springframework.boot.autoconfigure.*;
import org.springframework.boot.autoconfigure.kafka.*;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.*;

@SpringBootApplication
public class Stranger {
    public static void main(String[] args) {
        SpringApplication.run(Stranger.class, "--spring.kafka.bootstrap-servers=" + args[0], args[1]).close();
    }

    @Bean ProducerFactory<?, ?> producers(KafkaProperties properties) {
        return new DefaultKafkaProducerFactory<String, String>(properties.buildProducerProperties(null)) {
            @Override
            protected Producer<String, String> createRawProducer(Map<String, Object> settings) {
                return new CheckpointingProducer<>(settings);
            }
        };
    }

    @Bean CommandLineRunner sends(KafkaTemplate<String, String> kafka) {
        return args -> { for (int i = 0; i < 500; i++) kafka.send(args[args.length - 1], "key" + i, "value " + i); };
    }
}
