package dev.stormproof.log.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The creation of a topic waits for its leaders.
 *
 * <p>Kafka's ends when the controller has decided; the leaders learn of it a little later. In between, an idempotent
 * producer with several requests on their way can get stuck: the first is refused, a later one is not, and then the first
 * can never follow (KAFKA-15591).
 */
public final class TopicCreation {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private TopicCreation() {}

    /**
     * Creates a topic, within the client's own timeout, and waits until the leaders of all its partitions serve it.
     *
     * @throws KafkaException if they do not within {@code timeoutMillis}, or if the cluster answers with an error
     */
    public static void create(Admin admin, NewTopic topic, long timeoutMillis) throws InterruptedException {
        try {
            admin.createTopics(List.of(topic)).all().get();
            long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            // A broker that is not leading yet refuses to give an offset, and the client asks it again by itself.
            Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, topic.numPartitions())
                    .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                    .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
            while (!haveLeaders(admin, ends, deadlineNanos - System.nanoTime())) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException("no broker leads topic " + topic.name() + " after " + timeoutMillis + " ms", e);
        }
    }

    private static boolean haveLeaders(Admin admin, Map<TopicPartition, OffsetSpec> ends, long remainingNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            admin.listOffsets(ends).all().get(Math.max(0, remainingNanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException && remainingNanos > 0) {
                return false;
            }
            throw e;
        }
    }
}
