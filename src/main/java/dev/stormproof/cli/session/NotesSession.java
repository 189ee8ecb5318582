package dev.stormproof.cli.session;

import dev.stormproof.cli.text.NotesReport;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.kafka.StoredRecordReader;
import dev.stormproof.kafka.WrittenEnd;
import dev.stormproof.local.CloseStack;
import dev.stormproof.notary.KeptLeaves;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.NotesCheck;
import dev.stormproof.notary.Origin;
import dev.stormproof.notary.kafka.StoredLog;
import dev.stormproof.submit.Failure;
import dev.stormproof.submit.Terminal;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A session compares a topic with the notes that were taken of it, or of the topic that it is a copy of. */
public final class NotesSession {
    private final Connection connection;
    private final NotesSource source;
    private final Request request;
    private final CloseStack resources;
    private final Terminal err;
    private final ProgressDisplay progress;
    private final NotesReport report;

    /**
     * What was asked for.
     *
     * @param every true if those partitions are all that the topic has
     * @param copyOf the topic whose notes count, of which this one is a copy; null if it is none
     * @param topicId Kafka's id of the one topic of that name whose notes count; null if any may
     */
    public record Request(
            String topic,
            SortedSet<Integer> partitions,
            boolean every,
            @Nullable String copyOf,
            @Nullable String topicId,
            boolean json) {
        /** True if the notes on a partition count: also on one that a copy, or a topic that was created again, lacks. */
        boolean counts(int partition) {
            // guard: partition-that-a-copy-lacks-is-told: false
            boolean ofSource = every;
            return ofSource || partitions.contains(partition);
        }

        /** The topic that the notes are on. */
        String noted() {
            return copyOf == null ? topic : copyOf;
        }
    }

    public NotesSession(
            Connection connection,
            NotesSource source,
            Request request,
            CloseStack resources,
            Terminal out,
            Terminal err) {
        this.connection = connection;
        this.source = source;
        this.request = request;
        this.resources = resources;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
        this.report = new NotesReport(request.topic(), request.copyOf(), out);
    }

    /** Compares, prints the report and returns the exit code. */
    public int run() throws InterruptedException {
        List<TopicPartition> heldBack = source.heldBack(); // Asked first: what is written later may be read or not.
        heldBack.forEach(partition -> report.addHeldBack(partition.toString()));
        Map<Integer, List<Note>> notes = notes(heldBack);
        try (KafkaLogReader log = NotesSource.newLog(connection)) {
            for (int partition : request.partitions()) {
                List<Note> some = notes.get(partition);
                TopicPartition compared = new TopicPartition(request.topic(), partition);
                if (some != null) {
                    compare(log, compared, some);
                } else if (log.of(compared).bounds().end() == 0) {
                    report.addEmpty(partition);
                } else {
                    report.addUnnoted(partition);
                }
            }
            notes.forEach((partition, some) -> {
                if (!request.partitions().contains(partition)) {
                    report.addAbsent(partition, some);
                }
            });
        } catch (KafkaException e) {
            throw Failure.own("topic " + request.topic() + " cannot be compared: " + e.getMessage(), e);
        } finally {
            progress.clear();
        }
        if (request.json()) {
            report.printJson();
        } else {
            report.print();
        }
        return report.exitCode();
    }

    /** The notes on the topic whose notes count, by partition; those on others of its name and cluster are told. */
    private Map<Integer, List<Note>> notes(List<TopicPartition> heldBack) throws InterruptedException {
        boolean isCopy = request.copyOf() != null;
        String clusterId = connection.clusterId();
        Map<Origin, List<Note>> all = source.read(
                origin -> origin.topic().equals(request.noted())
                        && request.counts(origin.partition())
                        && (isCopy || origin.clusterId().equals(clusterId)),
                err);
        Map<String, Map<Integer, List<Note>>> byId = new TreeMap<>();
        all.forEach((origin, notes) -> {
            Map<Integer, List<Note>> ofId = byId.computeIfAbsent(origin.topicId(), id -> new TreeMap<>());
            if (ofId.put(origin.partition(), notes) != null) {
                throw Failure.usage("there are notes on a topic with the id " + origin.topicId()
                        + " in several clusters, such as " + origin + ": copy those of one into a topic of their own");
            }
        });
        String topicId = isCopy ? idOfSource(byId) : ownId();
        if (byId.isEmpty()) {
            throw Failure.usage("topic " + source.request().topic() + " holds no note of '"
                    + source.request().notary() + "' on "
                    + (isCopy
                            ? "a topic " + request.noted()
                            : "this topic " + request.topic() + " (topic id " + topicId + ", cluster id " + clusterId
                                    + "); of a copy, --copy-of names the source")
                    + (heldBack.isEmpty() ? "" : ", before a transaction that is open in " + heldBack));
        }
        byId.forEach((id, notes) -> {
            if (!id.equals(topicId)) {
                // guard: topic-that-was-created-again-is-not-unaltered: false
                boolean gone = request.topicId() == null;
                report.addOther(id, notes.values(), gone);
            }
        });
        return byId.getOrDefault(topicId, Map.of());
    }

    /** Kafka's id of the topic that is compared, which has to be the one that was asked for. */
    private String ownId() throws InterruptedException {
        String id = connection.topicId(request.topic());
        if (request.topicId() != null && !request.topicId().equals(id)) {
            throw Failure.usage("--topic-id " + request.topicId() + ": topic " + request.topic() + " has the id " + id
                    + " now; of one that is gone, --copy-of " + request.topic() + " compares a copy");
        }
        return id;
    }

    /** Kafka's id of the source, of which there may be several with that name. */
    private String idOfSource(Map<String, Map<Integer, List<Note>>> byId) {
        String asked = request.topicId();
        if (asked == null ? byId.size() > 1 : !byId.containsKey(asked)) {
            throw Failure.usage(
                    "--copy-of " + request.noted() + ": there are notes on topics of that name with the ids "
                            + String.join(", ", byId.keySet()) + "; choose one of them by --topic-id");
        }
        return asked == null ? String.join("", byId.keySet()) : asked;
    }

    private void compare(KafkaLogReader log, TopicPartition partition, List<Note> notes) throws InterruptedException {
        StoredRecordReader reader = log.of(partition);
        long writtenEnd = WrittenEnd.of(connection.admin(), partition);
        boolean unused = WrittenEnd.becomesReadable(reader, writtenEnd);
        StoredLog stored = new StoredLog(reader, writtenEnd);
        LongConsumer shown = offset -> show(partition, stored, offset);
        try (KeptLeaves kept = source.kept(notes)) {
            NotesCheck check = new NotesCheck(notes, stored, kept, shown);
            report.add(partition.partition(), notes, request.copyOf() == null ? check.ofSameLog() : check.ofCopy());
        }
        progress.clear();
    }

    private void show(TopicPartition partition, StoredLog log, long offset) {
        if (resources.isEnding()) {
            throw Failure.own("interrupted at " + partition + "@" + offset);
        }
        long nowMillis = System.nanoTime() / 1_000_000;
        if (progress.isDue(nowMillis)) {
            long size = log.end() - log.begin();
            long done = offset - log.begin();
            progress.update(
                    done, size, ReportText.text("%s: %,d/%,d offsets", partition.toString(), done, size), nowMillis);
        }
    }
}
