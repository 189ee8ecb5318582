import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What scripts/cluster asks the brokers, and what it waits for.
 *
 * <pre>
 *   KafkaState ready SERVERS BROKERS SECONDS [NAME:PARTITIONS]...   waits until so many brokers serve, each topic that is not
 *                                                                   there is made, and every replica of these is in sync
 * </pre>
 *
 * Exits with 1 if what it waits for does not come in time.
 */
final class KafkaState {
    private static final long POLL_MILLIS = 200;
    private static final int ANSWER_MILLIS = 5_000;

    private KafkaState() {}

    public static void main(String[] args) throws InterruptedException {
        if (!args[0].equals("ready")) {
            throw new IllegalArgumentException(args[0]);
        }
        int brokers = Integer.parseInt(args[2]);
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[3]));
        List<String> topics = List.of(args).subList(4, args.length);
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers", args[1], "request.timeout.ms", ANSWER_MILLIS, "default.api.timeout.ms", ANSWER_MILLIS))) {
            while (true) {
                String missing = missing(admin, brokers, topics);
                if (missing.isEmpty()) {
                    return;
                }
                if (System.nanoTime() > deadlineNanos) {
                    System.err.println(missing + " after " + args[3] + " s");
                    System.exit(1);
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    /** What is missing still; empty if nothing is. */
    private static String missing(Admin admin, int brokers, List<String> topics) throws InterruptedException {
        try {
            int serving = admin.describeCluster().nodes().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS).size();
            if (serving < brokers) {
                return serving + " of " + brokers + " brokers serve";
            }
            for (String topic : topics) {
                create(admin, topic.replaceAll(":.*", ""), topic.contains(":") ? topic.replaceAll(".*:", "") : "1");
            }
            Collection<TopicDescription> described = admin.describeTopics(
                            topics.stream().map(topic -> topic.replaceAll(":.*", "")).toList())
                    .allTopicNames()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .values();
            return described.stream()
                    .filter(topic -> topic.partitions().stream().anyMatch(KafkaState::isOutOfSync))
                    .map(topic -> "of topic " + topic.name() + " not every replica is in sync")
                    .findFirst()
                    .orElse("");
        } catch (TimeoutException e) {
            return "the brokers do not answer";
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return "a topic is not known everywhere";
            }
            return "the brokers do not answer: " + e.getCause();
        }
    }

    private static boolean isOutOfSync(TopicPartitionInfo partition) {
        return partition.leader() == null || partition.leader().isEmpty() || partition.isr().size() < partition.replicas().size();
    }

    private static void create(Admin admin, String name, String partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            // As many replicas as the brokers' default says.
            admin.createTopics(List.of(new NewTopic(name, Optional.of(Integer.valueOf(partitions)), Optional.empty())))
                    .all()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }
}
