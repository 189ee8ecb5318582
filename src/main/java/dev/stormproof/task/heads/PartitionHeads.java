package dev.stormproof.task.heads;

import dev.stormproof.proof.tree.Xxh3;
import dev.stormproof.verify.fold.SavedStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The records of one partition of an input in the topic of heads, as they are once the next transaction is committed. */
final class PartitionHeads {
    private final TopicPartition partition;
    private long topicId;
    /** The hash of each stream's record. */
    private final Map<Long, Long> hashes;
    /** What these records say, as far as that is known. */
    private final Map<Long, SavedStream> streams = new HashMap<>();
    /** What is not committed yet: the value of each stream's record; empty if it is removed. */
    private final Map<Long, Optional<byte[]>> pending = new HashMap<>();

    private long sum;

    /** @param hashes those of the records that are there, by the emitters of their streams */
    PartitionHeads(TopicPartition partition, long topicId, Map<Long, Long> hashes) {
        this.partition = partition;
        this.topicId = topicId;
        this.hashes = new HashMap<>(hashes);
        this.sum = sumOf(hashes.values());
    }

    /** The hash of a record. */
    static long hash(byte[] key, byte[] value) {
        byte[] both = new byte[key.length + value.length];
        System.arraycopy(key, 0, both, 0, key.length);
        System.arraycopy(value, 0, both, key.length, value.length);
        return Xxh3.hash(both, 0, both.length);
    }

    static long sumOf(Collection<Long> hashes) {
        return hashes.stream().reduce(0L, (one, other) -> one ^ other);
    }

    /** Notes the id of the topic; of another topic than before nothing is kept. */
    void inTopic(long id) {
        if (isOfAnother(id, topicId)) {
            removeAll();
        }
        topicId = id == Heads.UNKNOWN_TOPIC ? topicId : id;
    }

    /** True if two ids are of two topics. */
    static boolean isOfAnother(long id, long other) {
        return id != Heads.UNKNOWN_TOPIC && other != Heads.UNKNOWN_TOPIC && id != other;
    }

    /** Notes that a stream's record is there. */
    void knows(SavedStream stream) {
        streams.put(stream.emitter(), stream);
    }

    /** Keeps these streams, and no others. */
    void keep(List<SavedStream> all) {
        all.forEach(this::put);
        if (hashes.size() > all.size()) {
            Set<Long> left = new HashSet<>(hashes.keySet());
            all.forEach(stream -> left.remove(stream.emitter()));
            left.forEach(this::remove);
        }
    }

    void put(SavedStream stream) {
        if (stream.equals(streams.put(stream.emitter(), stream))) {
            return;
        }
        byte[] key = HeadsCodec.key(partition, stream.emitter());
        byte[] value = HeadsCodec.value(key, new HeadsCodec.Value(topicId, stream));
        long hash = hash(key, value);
        Long before = hashes.put(stream.emitter(), hash);
        if (before == null || before != hash) {
            sum ^= hash ^ (before == null ? 0 : before);
            pending.put(stream.emitter(), Optional.of(value));
        }
    }

    void remove(long emitter) {
        streams.remove(emitter);
        Long before = hashes.remove(emitter);
        if (before != null) {
            sum ^= before;
            pending.put(emitter, Optional.empty());
        }
    }

    void removeAll() {
        List.copyOf(hashes.keySet()).forEach(this::remove);
    }

    long sum() {
        return sum;
    }

    /** The records that are not committed yet. */
    List<ProducerRecord<byte[], byte[]>> records(TopicPartition place) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(pending.size());
        pending.forEach((emitter, value) -> records.add(new ProducerRecord<>(
                place.topic(), place.partition(), HeadsCodec.key(partition, emitter), value.orElse(null))));
        return records;
    }

    void committed() {
        pending.clear();
    }
}
