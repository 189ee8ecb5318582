package stranger;

import java.net.URI;
import java.net.http.*;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.core.*;

@SpringBootApplication
public class Stranger {
    public static void main(String[] args) throws Exception {
        var context = SpringApplication.run(Stranger.class, "--spring.kafka.bootstrap-servers=" + args[0],
                "--server.port=0", "--spring.application.name=stranger", "--management.endpoint.health.show-details=always",
                "--management.endpoints.web.exposure.include=health,metrics");
        KafkaTemplate<Object, Object> kafka = context.getBean(KafkaTemplate.class);
        for (int i = 0; i < 500; i++) kafka.send(args[1], "key" + i, "value " + i);
        kafka.flush();
        var actuator = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/";
        show(actuator + "health");
        show(actuator + "metrics/stormproof.emitter.events");
        context.getBean(ProducerFactory.class).reset();
        show(actuator + "health");
        context.close();
    }
    static void show(String uri) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(uri)).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println("shown " + response.statusCode() + " " + response.body());
    }
}
