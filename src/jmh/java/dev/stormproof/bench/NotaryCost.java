package dev.stormproof.bench;

import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteState;
import dev.stormproof.evidence.notary.NoteTaking;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.notary.StoredLeaves;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The cost of taking notes on a log that a plain producer wrote, against a consumer that only polls; and the bytes of a note.
 *
 * <pre>
 *   this JVM    producer ──► log, once; then in each round, one after the other:  poll, its parts, notes, notes and tiles
 *   child JVM   broker
 * </pre>
 *
 * <p>A note is taken of 25,000 records: at 5,000 a second, one every five seconds. Notes and tiles are made and not written.
 */
public final class NotaryCost {
    private static final List<Integer> VALUE_BYTES = List.of(100, 1_000);
    private static final int RECORDS_OF_A_NOTE = 25_000;
    private static final int HASH_BYTES = 32;

    /** Form, time, the size of a key that is not there, the value's size, and the number of headers. */
    private static final int BYTES_OF_A_LEAF_WITHOUT_ITS_VALUE = 1 + 8 + 4 + 4 + 4;

    private final String servers;
    private final CheckpointKey key;
    private final Map<Integer, Integer> noteBytes = new HashMap<>();

    private NotaryCost(String servers) throws Exception {
        this.servers = servers;
        this.key = CheckpointKey.ofPkcs8(
                "bench",
                KeyPairGenerator.getInstance("Ed25519")
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded());
    }

    /** Takes the number of records of 100 B, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> (records, rounds) -> {
            NotaryCost notary = new NotaryCost(servers);
            for (int valueBytes : VALUE_BYTES) {
                notary.run(valueBytes, (int) Math.min(records, records * 300L / valueBytes), rounds);
            }
        });
    }

    private void run(int valueBytes, int count, int rounds) throws Exception {
        TopicPartition partition = new TopicPartition("plain-" + valueBytes, 0);
        write(partition, count, valueBytes);
        new CostRounds("notary-" + valueBytes)
                .add("poll", () -> poll(partition))
                .add("hashes alone", () -> hashes(valueBytes, count))
                .add("reading in place", () -> reading(partition))
                .add("notes", () -> notes(partition, false))
                .add("notes and tiles", () -> notes(partition, true))
                .run(count, rounds);
        noteBytes.forEach((trees, bytes) -> System.out.printf(
                Locale.ROOT, "a note on a tree of %,d records: %,d bytes with key and state%n", trees, bytes));
        noteBytes.clear();
    }

    private long notes(TopicPartition partition, boolean tiles) throws ExpiredRangeException {
        Origin origin = new Origin("bench", "aClusterOfTwentyTwoChr", partition.topic(), "aTopicIdOfTwentyTwoChr", 0);
        NoteTaking taking = NoteTaking.begin(origin, 0, tiles);
        StoredLeaves leaves = new StoredLeaves();
        try (KafkaLogReader log = KafkaLogReader.ofStored(client(), Duration.ofSeconds(30))) {
            KafkaPartitionReader reader = log.of(partition);
            reader.scanStored(0, reader.bounds().end(), record -> {
                taking.take(record.offset(), record.leaderEpoch(), leaves.of(record));
                if (taking.size() % RECORDS_OF_A_NOTE == 0) {
                    note(taking, origin);
                }
                return true;
            });
        }
        note(taking, origin);
        return taking.size();
    }

    /** What no notary can do without: of each record a leaf of its size and, but for one, a node, by the digest that is there. */
    private static long hashes(int valueBytes, int count) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        byte[] leaf = new byte[1 + BYTES_OF_A_LEAF_WITHOUT_ITS_VALUE + valueBytes];
        byte[] node = new byte[1 + 2 * HASH_BYTES];
        for (int i = 0; i < count; i++) {
            leaf[1] = (byte) i;
            sha256.update(leaf);
            sha256.digest(node, 1, HASH_BYTES);
            sha256.update(node);
            sha256.digest(node, 1 + HASH_BYTES, HASH_BYTES);
        }
        return count;
    }

    /** The reading without any hash: every byte of each record is looked at by the CRC alone. */
    private long reading(TopicPartition partition) throws ExpiredRangeException {
        long[] count = new long[1];
        try (KafkaLogReader log = KafkaLogReader.ofStored(client(), Duration.ofSeconds(30))) {
            KafkaPartitionReader reader = log.of(partition);
            reader.scanStored(0, reader.bounds().end(), record -> {
                count[0]++;
                return true;
            });
        }
        return count[0];
    }

    private void note(NoteTaking taking, Origin origin) {
        long tiles = taking.tiles().stream()
                .map(NoteTaking.Tile::hashes)
                .mapToLong(Hash::sizeBytes)
                .sum();
        if (tiles < 0) {
            throw new IllegalStateException("tiles of " + tiles + " bytes");
        }
        Note.Written note = taking.note(System.currentTimeMillis(), NoteState.Place.NONE, key);
        int bytes = note.value().sizeBytes()
                + note.stateBytes().sizeBytes()
                + origin.text().length()
                + NoteState.HEADER.length();
        noteBytes.merge((int) taking.size(), bytes, Math::max);
        if (noteBytes.size() > 1) {
            noteBytes.keySet().removeIf(size -> size < taking.size());
        }
    }

    private long poll(TopicPartition partition) {
        return PlainPoll.count(client(), partition);
    }

    private void write(TopicPartition partition, int count, int valueBytes) throws Exception {
        try (Admin admin = Admin.create(client())) {
            admin.createTopics(List.of(new NewTopic(partition.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
        Map<String, Object> config = client();
        config.put("linger.ms", 20);
        SplittableRandom random = new SplittableRandom(1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                byte[] value = new byte[valueBytes];
                random.nextBytes(value);
                var unused = producer.send(new ProducerRecord<>(partition.topic(), 0, null, value));
            }
        }
    }

    private Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", servers));
    }
}
