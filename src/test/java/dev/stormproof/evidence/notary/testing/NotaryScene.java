package dev.stormproof.evidence.notary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.notary.NotaryTask;
import dev.stormproof.task.notary.NotesTopic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic that plain producers write, with a notary of it. */
public final class NotaryScene {
    public final String topic;
    private final String servers;
    private final Map<String, String> properties = new HashMap<>();
    private final String publicKey;

    /** @param dir for the notary's key */
    public NotaryScene(EmbeddedKafka kafka, Path dir, int partitions) throws IOException {
        this(kafka.bootstrapServers(), SharedKafka.createTopic(kafka, "noted", partitions), dir);
        kafka.createTopic(topic + "-notes", 1, Map.of("retention.ms", "-1"));
        kafka.createTopic(topic + "-tiles", 1, Map.of("cleanup.policy", "compact"));
    }

    /** A notary of a topic; whoever has it makes those of notes and tiles, with -notes and -tiles behind its name. */
    public NotaryScene(String servers, String topic, Path dir) throws IOException {
        this.servers = servers;
        this.topic = topic;
        Path key = Files.createDirectories(dir.resolve(topic)).resolve("notary-1.pem");
        Shell.Result made = Files.exists(key)
                ? new Shell.Result(0, "", "", List.of())
                : Shell.here("key", "create", "-o", key.toString()).ends(0);
        publicKey = made.out().strip();
        properties.put("bootstrap.servers", servers);
        properties.put("group.id", topic + "-group");
        properties.put("notary.topics", topic);
        properties.put("notes.topic", topic + "-notes");
        properties.put("notary.tiles", topic + "-tiles");
        properties.put("notary.interval.ms", "100");
        properties.put("notary.key", key.toString());
    }

    public String publicKey() {
        return publicKey;
    }

    public StormproofConfig config(String... more) {
        return new StormproofConfig(with(more));
    }

    public Map<String, String> with(String... more) {
        Map<String, String> all = new HashMap<>(properties);
        for (int i = 0; i < more.length; i += 2) {
            if (more[i + 1].isEmpty()) {
                all.remove(more[i]);
            } else {
                all.put(more[i], more[i + 1]);
            }
        }
        return all;
    }

    public Producer<String, String> producer(String... more) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", servers));
        for (int i = 0; i < more.length; i += 2) {
            config.put(more[i], more[i + 1]);
        }
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    /** Sends so many records to a partition, as a console producer does. */
    public void send(int partition, int from, int to) {
        try (Producer<String, String> producer = producer("linger.ms", "20")) {
            for (int i = from; i < to; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, partition, null, "record " + i));
            }
        }
    }

    /** Takes notes until all that is there has been read. */
    public void notarize(StormproofConfig config) {
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config))) {
            while (task.round()) {
                // There is more.
            }
        }
    }

    /** The same until so many records of a partition are noted, for a log whose brokers come and go. */
    public void notarize(StormproofConfig config, int partition, long records) {
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config))) {
            await(() -> {
                boolean unused = task.round();
                return noted(partition) == records;
            });
        }
    }

    /** The notes in order of partition and number. */
    public List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        try (KafkaLogReader log =
                KafkaLogReader.ofStored(Map.of("bootstrap.servers", servers), Duration.ofSeconds(30))) {
            new NotesTopic(log, topic + "-notes", NotaryTask.key(config()).publicKey())
                    .read(1, origin -> true, (note, refused) -> {
                        assertThat(note).as(refused).isNotNull();
                        if (note != null) {
                            notes.add(note);
                        }
                    });
        }
        notes.sort(Comparator.comparingInt((Note note) -> note.origin().partition())
                .thenComparingLong(note -> note.state().number()));
        return notes;
    }

    /** Each note of a partition is the next one of its tree. */
    public void assertOneChain() {
        Note before = null;
        for (Note note : notes()) {
            boolean first = before == null
                    || before.origin().partition() != note.origin().partition();
            assertThat(note.state().number())
                    .isEqualTo(first || before == null ? 0 : before.state().number() + 1);
            assertThat(note.state().from())
                    .isEqualTo(first || before == null ? 0 : before.state().next());
            before = note;
        }
    }

    /** How many records of a partition are noted. */
    public long noted(int partition) {
        return notes().stream()
                .filter(note -> note.origin().partition() == partition)
                .mapToLong(note -> note.head().size())
                .max()
                .orElse(0);
    }

    public Shell.Result audit(String... more) {
        return auditAt(servers, topic, more);
    }

    /** Audits a topic of a broker with the notes in it. */
    public Shell.Result auditAt(String at, String audited, String... more) {
        return Shell.line(
                "notary audit --bootstrap-server " + at + " --topic " + audited + " --notes " + topic
                        + "-notes --notary-key " + publicKey,
                more);
    }

    public static void await(BooleanSupplier reached) {
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time is over").isLessThan(deadlineNanos);
            LockSupport.parkNanos(50_000_000);
        }
    }
}
