package dev.stormproof.local;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waiting for a topic that was just created.
 *
 * <p>Creating ends when the controller has decided; the leaders learn of it a little later. In between, an idempotent
 * producer with several requests on their way can get stuck: the first is refused, a later one is not, and then the first
 * can never follow (KAFKA-15591).
 */
public final class TopicCreation {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private TopicCreation() {}

    /**
     * Waits until the leaders of all partitions serve the topic.
     *
     * @throws KafkaException if they do not within {@code timeoutMillis}, or if the cluster answers with an error
     */
    public static void awaitLeaders(Admin admin, String topic, int partitions, long timeoutMillis)
            throws InterruptedException {
        // A broker that is not leading yet refuses to give an offset, and the client asks it again by itself.
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            long remainingNanos = deadlineNanos - System.nanoTime();
            try {
                admin.listOffsets(ends).all().get(Math.max(0, remainingNanos), TimeUnit.NANOSECONDS);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || remainingNanos <= 0) {
                    throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (TimeoutException e) {
                throw new KafkaException("no broker leads topic " + topic + " after " + timeoutMillis + " ms", e);
            }
        }
    }
}
