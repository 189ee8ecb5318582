package dev.stormproof.task.heads;

import dev.stormproof.verify.fold.SavedHeads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The heads of a task whose producer is a mock. */
public final class PaperHeads implements Heads {
    public static final String TOPIC = "heads";

    private static final TopicPartition PLACE = new TopicPartition(TOPIC, 0);

    private final Supplier<List<ProducerRecord<byte[], byte[]>>> committed;
    private final Map<TopicPartition, PartitionHeads> kept = new HashMap<>();

    /** @param committed what was committed to {@link #TOPIC} */
    public PaperHeads(Supplier<List<ProducerRecord<byte[], byte[]>>> committed) {
        this.committed = committed;
    }

    @Override
    public Map<TopicPartition, Found> read(Map<TopicPartition, Committed> partitions) {
        FoundHeads found = new FoundHeads(PLACE, partitions.keySet());
        committed.get().forEach(record -> found.take(0, record.key(), record.value()));
        Map<TopicPartition, Found> heads = new HashMap<>();
        partitions.forEach((partition, progress) -> {
            FoundHeads.Known known = found.known(partition, progress);
            kept.put(partition, known.kept());
            heads.put(partition, known.found());
        });
        return heads;
    }

    @Override
    public Update update(TopicPartition partition, long topicId, SavedHeads heads) {
        PartitionHeads of = of(partition);
        of.inTopic(topicId);
        of.keep(heads.streams());
        return new Update(of.records(PLACE), new HeadsSum(of.sum(), heads.complete()));
    }

    @Override
    public void committed(Set<TopicPartition> partitions) {
        partitions.forEach(partition -> of(partition).committed());
    }

    private PartitionHeads of(TopicPartition partition) {
        return kept.computeIfAbsent(partition, first -> new PartitionHeads(first, UNKNOWN_TOPIC, Map.of()));
    }
}
