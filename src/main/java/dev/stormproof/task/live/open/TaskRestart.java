package dev.stormproof.task.live.open;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.ProducerLimits;
import dev.stormproof.task.live.run.TaskProducer;
import dev.stormproof.task.live.run.TaskTransaction;
import dev.stormproof.task.live.run.TransactionalIds;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees a task whose transaction is held up by a deleted topic: opens another producer with its transactional id, as after a restart, but
 * keeps all that the task knows. This is sound only if the committed progress is the task's own; otherwise another task has taken over.
 *
 * @param index the task's place among those that share the partitions
 * @param partitions accepts the task's partitions
 * @param last the progress that the task last committed, or found when it began
 */
record TaskRestart(
        StormproofConfig config,
        int index,
        Predicate<TopicPartition> partitions,
        ProducerLimits limits,
        Function<TopicPartition, Optional<Progress>> last)
        implements TaskTransaction.Renewal {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRestart.class);

    @Override
    public Set<String> unknown(Set<String> topics) {
        try (TopicIds ids = new TopicIds(config.kafkaAdmin())) {
            return ids.unknown(topics);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.debug("no broker can be asked for topics now", e);
            return Set.of();
        }
    }

    @Override
    public Producer<byte[], byte[]> producer() {
        // Also before, so that a successor is not fenced.
        check();
        LOG.warn("a transaction of task {} is aborted by another producer of it: a topic was deleted", index);
        Producer<byte[], byte[]> producer = TaskProducer.open(config, limits, TransactionalIds.of(config, index));
        try {
            check();
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
        return producer;
    }

    private void check() {
        GroupProgress.read(config, partitions).partitions().forEach(this::check);
    }

    private void check(TopicPartition partition, Progress committed) {
        boolean own = last.apply(partition)
                .filter(known ->
                        known.offset() == committed.offset() && Objects.equals(known.written(), committed.written()))
                .isPresent();
        if (!own) {
            throw new ProducerFencedException("another task has committed progress in " + partition);
        }
    }
}
