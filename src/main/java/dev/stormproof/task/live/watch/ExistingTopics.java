package dev.stormproof.task.live.watch;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.kafka.KafkaAnswers;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.verify.feed.EpochEnd;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InconsistentTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A reader that asks whether a topic exists before it reads it, and where its log ends beyond what is committed. A consumer cannot tell,
 * and waits for a deleted topic as long as for a broker that does not answer, with warnings all the while.
 *
 * <p>For one thread.
 */
public final class ExistingTopics implements LogReader {
    /** For one request: a partition that cannot be read keeps others waiting. */
    public static final String TIMEOUT_MILLIS = "10000";

    private final Admin admin;
    private final LogReader log;

    public ExistingTopics(Map<String, Object> adminProperties, LogReader log) {
        adminProperties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        adminProperties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        this.admin = Admin.create(adminProperties);
        this.log = log;
    }

    /** Throws {@link UnknownTopicOrPartitionException} at once if the topic does not exist. */
    @Override
    public PartitionReader of(TopicPartition partition) {
        var unused = topicId(partition.topic());
        return new BehindTransactions(log.of(partition), partition);
    }

    private Uuid topicId(String topic) {
        return KafkaAnswers.get(Objects.requireNonNull(
                        admin.describeTopics(Set.of(topic)).topicNameValues().get(topic)))
                .topicId();
    }

    /** A reader that also knows where the log ends after the records of open transactions. */
    private final class BehindTransactions implements PartitionReader {
        private final PartitionReader committed;
        private final TopicPartition partition;

        BehindTransactions(PartitionReader committed, TopicPartition partition) {
            this.committed = committed;
            this.partition = partition;
        }

        @Override
        public Bounds bounds() {
            long written = WrittenEnd.of(admin, partition);
            Bounds readable = committed.bounds();
            return new Bounds(readable.begin(), readable.end(), written);
        }

        @Override
        public long begin() {
            return committed.begin();
        }

        @Override
        public long offsetForTime(long millis) {
            return committed.offsetForTime(millis);
        }

        @Override
        public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
            return committed.scan(beginOffset, endOffset, taker);
        }

        @Override
        public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
            return committed.endOfEpoch(offset, leaderEpoch);
        }

        /** The id by a broker's word, which for a moment may not have heard of a topic that another broker reads from already. */
        @Override
        public Uuid topicId() {
            Uuid now = ExistingTopics.this.topicId(partition.topic());
            Uuid read = committed.topicId();
            if (!read.equals(Uuid.ZERO_UUID) && !read.equals(now)) {
                throw new InconsistentTopicIdException(partition + " was created again while it was read");
            }
            return now;
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
        log.close();
    }
}
