package dev.stormproof.cli.session;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.NotesReport;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.evidence.notary.KeptLeaves;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteRange;
import dev.stormproof.evidence.notary.NoteStretch;
import dev.stormproof.evidence.notary.NotedLog;
import dev.stormproof.evidence.notary.NotesCheck;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.task.notary.StoredLog;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A session compares a topic with the notes that were taken of it, or of the topic that it is a copy of. */
public final class NotesSession {
    /** How old a last note may be that records follow: twice the longest {@code notary.interval.ms}. */
    private static final Duration NOTED_WITHIN = Duration.ofHours(2);

    private final Connection connection;
    private final NotesSource source;
    private final Request request;
    private final CloseStack resources;
    private final Terminal err;
    private final ProgressDisplay progress;
    private final NotesReport report;

    /**
     * The options of the command.
     *
     * @param every true if those partitions are all that the topic has
     * @param copyOf the topic whose notes count, of which this one is a copy; null if it is none
     * @param scope which part of them
     * @param topicId Kafka's id of the one topic of that name whose notes count; null if any may
     */
    public record Request(
            String topic,
            SortedSet<Integer> partitions,
            boolean every,
            @Nullable String copyOf,
            @Nullable String topicId,
            Scope scope,
            boolean json) {
        /** True if the notes on a partition count: also on one that a copy, or a topic that was created again, lacks. */
        boolean counts(int partition) {
            boolean ofSource = every;
            return ofSource || partitions.contains(partition);
        }

        /** The topic whose notes count. */
        String noted() {
            return copyOf == null ? topic : copyOf;
        }
    }

    /** The part of a log that is compared, by offsets or by times; all of it without any. */
    public record Scope(
            @Nullable Long from,
            @Nullable Long to,
            @Nullable Instant since,
            @Nullable Instant until) {
        boolean isWhole() {
            return from == null && to == null && since == null && until == null;
        }

        /** The range of a partition that can be read. */
        NoteRange of(KafkaPartitionReader log) {
            if (since == null && until == null) {
                return byOffsets();
            }
            PartitionReader.Bounds bounds = log.bounds();
            long begin = since == null ? -1 : Math.min(log.offsetForTime(since.toEpochMilli()), bounds.end());
            long end = until == null ? Long.MAX_VALUE : Math.min(log.offsetForTime(until.toEpochMilli()), bounds.end());
            return new NoteRange(begin, end, sinceMillis(), untilMillis());
        }

        /** The range of a partition that is gone: the offsets of those times are unknown. */
        NoteRange ofGone() {
            return since == null && until == null
                    ? byOffsets()
                    : new NoteRange(Long.MAX_VALUE, Long.MIN_VALUE, sinceMillis(), untilMillis());
        }

        private NoteRange byOffsets() {
            return new NoteRange(
                    from == null ? -1 : from, to == null ? Long.MAX_VALUE : to, Long.MAX_VALUE, Long.MIN_VALUE);
        }

        private long sinceMillis() {
            return since == null ? Long.MIN_VALUE : since.toEpochMilli();
        }

        private long untilMillis() {
            return until == null ? Long.MAX_VALUE : until.toEpochMilli();
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
        this.report = new NotesReport(
                request.topic(),
                request.copyOf(),
                !request.scope().isWhole(),
                Instant.now().minus(NOTED_WITHIN),
                out);
    }

    /** Compares, prints the report and returns the exit code. */
    public int run() throws InterruptedException {
        List<TopicPartition> heldBack = source.heldBack(); // Asked first: what is written later may be read or not.
        heldBack.forEach(partition -> report.addHeldBack(partition.toString()));
        try (KafkaLogReader log = NotesSource.newLog(connection)) {
            Map<Integer, NoteStretch> notes = notes(log, heldBack);
            for (int partition : request.partitions()) {
                NoteStretch some = notes.get(partition);
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
                    report.addAbsent(partition, some.notes());
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

    /** The notes on the topic whose notes count, by partition; those on others of its name and cluster are reported. */
    private Map<Integer, NoteStretch> notes(KafkaLogReader log, List<TopicPartition> heldBack)
            throws InterruptedException {
        boolean isCopy = request.copyOf() != null;
        String clusterId = connection.clusterId();
        Map<String, Map<Integer, NoteStretch>> byId = new TreeMap<>();
        read(log, clusterId).forEach((origin, notes) -> {
            Map<Integer, NoteStretch> ofId = byId.computeIfAbsent(origin.topicId(), id -> new TreeMap<>());
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
                boolean gone = request.topicId() == null;
                List<List<Note>> judged = notes.values().stream()
                        .filter(NoteStretch::isNoted)
                        .map(NoteStretch::notes)
                        .toList();
                report.addOther(id, judged, gone);
            }
        });
        return byId.getOrDefault(topicId, Map.of());
    }

    /** The notes on all topics of the name, as far as the range needs them. */
    private Map<Origin, NoteStretch> read(KafkaLogReader log, String clusterId) throws InterruptedException {
        boolean isCopy = request.copyOf() != null;
        Predicate<Origin> wanted = origin -> origin.topic().equals(request.noted())
                && request.counts(origin.partition())
                && (isCopy || origin.clusterId().equals(clusterId));
        Scope scope = request.scope();
        if (scope.isWhole()) {
            return source.read(wanted, origin -> NoteRange.WHOLE, err);
        }
        String topicId = ownId();
        Map<Origin, NoteRange> ranges = new HashMap<>();
        for (int partition : request.partitions()) {
            KafkaPartitionReader reader = log.of(new TopicPartition(request.topic(), partition));
            // Of one that has lost everything no offset has a time.
            if (reader.bounds().end() > 0) {
                ranges.put(
                        new Origin(source.request().notary(), clusterId, request.topic(), topicId, partition),
                        scope.of(reader));
            }
        }
        return source.read(wanted, origin -> ranges.getOrDefault(origin, scope.ofGone()), err);
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
    private String idOfSource(Map<String, Map<Integer, NoteStretch>> byId) {
        String asked = request.topicId();
        if (asked == null ? byId.size() > 1 : !byId.containsKey(asked)) {
            throw Failure.usage(
                    "--copy-of " + request.noted() + ": there are notes on topics of that name with the ids "
                            + String.join(", ", byId.keySet()) + "; choose one of them by --topic-id");
        }
        return asked == null ? String.join("", byId.keySet()) : asked;
    }

    private void compare(KafkaLogReader log, TopicPartition partition, NoteStretch stretch)
            throws InterruptedException {
        KafkaPartitionReader reader = log.of(partition);
        long writtenEnd = WrittenEnd.of(connection.admin(), partition);
        boolean unused = WrittenEnd.becomesReadable(reader, writtenEnd);
        List<Note> notes = stretch.notes();
        NotedLog stored = new StoredLog(reader, writtenEnd).upTo(stretch.end());
        LongConsumer shown = offset -> show(partition, stored, offset);
        Note before = stretch.before();
        try (KeptLeaves kept =
                source.kept(notes, before == null ? 0 : before.head().size())) {
            NotesCheck check = new NotesCheck(notes, stored, kept, shown);
            NotesCheck.Result result;
            if (request.copyOf() != null) {
                result = check.ofCopy();
            } else if (before != null) {
                result = check.afterFirstNote();
            } else {
                result = check.ofSameLog();
            }
            report.add(partition.partition(), stretch, result);
        }
        progress.clear();
    }

    private void show(TopicPartition partition, NotedLog log, long offset) {
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
