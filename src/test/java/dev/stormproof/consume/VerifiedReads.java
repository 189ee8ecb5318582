package dev.stormproof.consume;

import static dev.stormproof.emit.testing.Clients.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads with a consumer what tests expect of it. */
final class VerifiedReads {
    private VerifiedReads() {}

    /** The next records, at least so many; fails if they do not come. */
    static List<ConsumerRecord<String, String>> records(Consumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> found = new ArrayList<>();
        await(count + " records", () -> {
            if (found.size() < count) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
            return found.size() >= count;
        });
        return found;
    }

    /** The values of the next records. */
    static List<String> texts(Consumer<String, String> consumer, int count) {
        return records(consumer, count).stream().map(ConsumerRecord::value).toList();
    }

    /** The value of a metric of verified reads. */
    static Object metric(Consumer<?, ?> consumer, String name) {
        return consumer.metrics().entrySet().stream()
                .filter(entry -> entry.getKey().group().equals(VerifiedMetrics.GROUP)
                        && entry.getKey().name().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue()
                .metricValue();
    }
}
