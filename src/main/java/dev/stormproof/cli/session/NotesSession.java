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
     */
    public record Request(
            String topic,
            SortedSet<Integer> partitions,
            boolean every,
            @Nullable String copyOf,
            boolean json) {
        /** True if the notes on a partition of the source count: also of one that the copy lacks. */
        boolean counts(int partition) {
            // guard: partition-that-a-copy-lacks-is-told: false
            boolean ofSource = copyOf != null && every;
            return ofSource || partitions.contains(partition);
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

    private Map<Integer, List<Note>> notes(List<TopicPartition> heldBack) throws InterruptedException {
        String clusterId = connection.clusterId();
        String topicId = connection.topicId(request.topic());
        String copyOf = request.copyOf();
        Map<Origin, List<Note>> all = source.read(
                origin -> request.counts(origin.partition())
                        && (copyOf == null
                                ? origin.topic().equals(request.topic())
                                        && origin.topicId().equals(topicId)
                                        && origin.clusterId().equals(clusterId)
                                : origin.topic().equals(copyOf)),
                err);
        Map<Integer, List<Note>> byPartition = new TreeMap<>();
        all.forEach((origin, notes) -> {
            if (byPartition.put(origin.partition(), notes) != null) {
                throw Failure.usage("--copy-of " + copyOf + ": there are notes on several topics of that name, such as "
                        + origin + ": copy the notes of one into a topic of their own");
            }
        });
        if (byPartition.isEmpty()) {
            throw Failure.usage("topic " + source.request().topic() + " holds no note of '"
                    + source.request().notary() + "' on "
                    + (copyOf == null
                            ? "this topic " + request.topic() + " (topic id " + topicId + ", cluster id " + clusterId
                                    + "); of a copy, --copy-of names the source"
                            : "a topic " + copyOf)
                    + (heldBack.isEmpty() ? "" : ", before a transaction that is open in " + heldBack));
        }
        return byPartition;
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
