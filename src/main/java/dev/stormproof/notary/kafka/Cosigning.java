package dev.stormproof.notary.kafka;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.kafka.StoredRecordReader;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.notary.Growth;
import dev.stormproof.notary.GrowthBehind;
import dev.stormproof.notary.KeptLeaves;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.NotedTree;
import dev.stormproof.sign.PublicKey;
import dev.stormproof.witness.GrowthSource;
import dev.stormproof.witness.Witness;
import dev.stormproof.witness.Witnesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The witnesses of a task's trees, with what they need of Kafka: a producer of their own, which belongs to no transaction, for the notes
 * that they signed, and a reader of what they have not seen.
 */
final class Cosigning implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final StormproofConfig config;
    private final PublicKey key;
    private final Producer<byte[], byte[]> producer;
    private final Witnesses witnesses;

    private Cosigning(StormproofConfig config, PublicKey key, List<Witness> asked) {
        this.config = config;
        this.key = key;
        this.producer =
                new KafkaProducer<>(config.kafkaProducer(), new ByteArraySerializer(), new ByteArraySerializer());
        this.witnesses = new Witnesses(
                asked,
                config.witnessIntervalMillis(),
                Source::new,
                new CosignatureWriter(producer, config.notesTopic()));
    }

    /** Begins to ask the witnesses of a configuration; empty if there are none. */
    static Optional<Cosigning> begin(StormproofConfig config, PublicKey key) {
        List<Witness> asked = witnesses(config);
        return asked.isEmpty() ? Optional.empty() : Optional.of(new Cosigning(config, key, asked));
    }

    /** The witnesses of a configuration; throws {@link ConfigException} if one is none. */
    static List<Witness> witnesses(StormproofConfig config) {
        List<Witness> witnesses = new ArrayList<>();
        Set<PublicKey> keys = new HashSet<>();
        for (String text : config.witnesses()) {
            try {
                Witness witness = Witness.parse(text);
                if (!keys.add(witness.key().key())) {
                    throw new IllegalArgumentException("two witnesses with one key: '" + witness + "'");
                }
                witnesses.add(witness);
            } catch (IllegalArgumentException e) {
                throw new ConfigException(StormproofConfig.WITNESSES + ": " + e.getMessage());
            }
        }
        if (witnesses.size() > Witnesses.MOST) {
            throw new ConfigException(StormproofConfig.WITNESSES + ": at most " + Witnesses.MOST + " witnesses");
        }
        return witnesses;
    }

    Witnesses witnesses() {
        return witnesses;
    }

    @Override
    public void close() {
        witnesses.close();
        producer.close(CLOSE);
    }

    /** What a witness has not seen, read again from the log or from tiles. For one thread. */
    private final class Source implements GrowthSource {
        private final KafkaLogReader log = KafkaLogReader.ofStored(config.kafkaConsumer(), SILENCE);

        @Override
        public Optional<Grown> find(long size, Note later) {
            return new NotesTopic(log, config.notesTopic(), key)
                    .ofSize(partitions(config.notesTopic()), later.origin(), size)
                    .flatMap(earlier -> ofLog(earlier, later)
                            .or(() -> ofTiles(earlier, later))
                            .map(growth -> new Grown(earlier, growth)));
        }

        private int partitions(String topic) {
            return producer.partitionsFor(topic).size();
        }

        private Optional<Growth> ofLog(Note earlier, Note later) {
            StoredRecordReader reader = log.of(
                    new TopicPartition(later.origin().topic(), later.origin().partition()));
            long from = earlier.state().next();
            long to = Math.min(later.state().next(), reader.bounds().end());
            if (from < reader.bounds().begin() || from > to) {
                return Optional.empty();
            }
            GrowthBehind growth = new GrowthBehind(earlier);
            StoredLeaves leaves = new StoredLeaves();
            byte[] hash = new byte[NotedTree.HASH_BYTES];
            try {
                reader.scanStored(from, to, record -> {
                    leaves.of(record).hashTo(hash, 0);
                    for (long i = Math.max(1, record.unreadCount()); i > 0; i--) {
                        growth.add(hash, 0);
                    }
                    return true;
                });
            } catch (ExpiredRangeException e) {
                return Optional.empty();
            }
            return growth.to(later);
        }

        private Optional<Growth> ofTiles(Note earlier, Note later) {
            Optional<String> topic = config.notaryTiles();
            if (topic.isEmpty()) {
                return Optional.empty();
            }
            GrowthBehind growth = new GrowthBehind(earlier);
            try (KeptLeaves kept = StoredTiles.of(
                    new TilesTopic(log, topic.get()),
                    partitions(topic.get()),
                    later.origin(),
                    earlier.head().size(),
                    later.head().size())) {
                return growth.addKept(kept, later.head().size()) ? growth.to(later) : Optional.empty();
            }
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
