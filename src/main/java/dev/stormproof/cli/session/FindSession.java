package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.Printable;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.input.Candidates;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A session gives the lost events of an alert their names, as far as candidates have their signatures.
 *
 * <pre>
 *   alert ──► its checkpoint in the log ──► stated signatures ─┐
 *   candidates ──► the same algorithm ──► signatures ──────────┴─ equal ──► this is event 4711
 * </pre>
 */
public final class FindSession {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MOST_SHOWN_BYTES = 64;

    /** How many matches are printed, and how many of those that were not found. */
    private static final int MOST_LINES = 1_000;

    private final StormproofConfig config;
    private final Connection connection;
    private final Violated violated;
    private final Terminal out;
    private final Terminal err;
    private boolean json;

    /** @param config says which signers an application supplies */
    public FindSession(StormproofConfig config, Connection connection, Violated violated, Terminal out, Terminal err) {
        this.config = config;
        this.connection = connection;
        this.violated = violated;
        this.out = out;
        this.err = err;
    }

    /** The last alert of an id about a violation; the failure says what the topic holds instead. */
    public static Violated alert(Connection connection, String alertsTopic, String id) throws InterruptedException {
        Optional<Alert> found = Optional.empty();
        try (FindingFeed feed =
                new FindingFeed(connection.clientProperties(), connection.partitions(alertsTopic), true)) {
            do {
                for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                    Optional<Alert> one = ofId(record, id);
                    found = one.isPresent() ? one : found;
                }
            } while (!feed.isAtFirstEnd());
        }
        Alert alert = found.orElseThrow(
                () -> Failure.usage(
                        "topic " + alertsTopic + " has no alert " + id
                                + "; 'stormproof alerts --from-beginning --json' shows the ids (alertId), and --alerts-topic names another topic"));
        if (!(alert.finding() instanceof Violated violated)) {
            throw Failure.usage("the alert names no lost event: " + AlertText.summary(alert.finding()));
        }
        return violated;
    }

    /** The alert of a record if it has the id, with or without a revision; what is no alert has none. */
    private static Optional<Alert> ofId(ConsumerRecord<byte[], byte[]> record, String id) {
        String key = record.key() == null ? "" : new String(record.key(), UTF_8);
        if (!id.equals(key) && !id.startsWith(key + "/r") && !id.startsWith(key + "@")) {
            return Optional.empty();
        }
        try {
            return Optional.of(FindingFeed.alert(record))
                    .filter(alert -> id.equals(alert.finding().id())
                            || id.equals(alert.finding().revisionId()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Has it print JSON: an object for each candidate that matches, and a last one; to be called before it runs. */
    public FindSession asJson(boolean wanted) {
        json = wanted;
        return this;
    }

    /** Prints the events and, from the log, the keys beside each gap: what is known without candidates. */
    public int describe() {
        ReadKeys keys = ReadKeys.of(connection);
        Function<Anomaly, String> line = AlertText.linesWith(RecordUrls.NONE, keys.readOf(violated.anomalies()));
        out.println(AlertText.summary(violated));
        violated.anomalies().stream().limit(MOST_LINES).forEach(anomaly -> out.println("  " + line.apply(anomaly)));
        err.println(
                "stormproof: to name them, give candidates from their source: --input FILE (JSON lines, CSV, or a value a"
                        + " line), or --input topic:NAME");
        return ExitCode.INCONCLUSIVE;
    }

    /** Compares the candidates; the exit code says whether each lost event has a name. */
    public int run(Candidates candidates) throws IOException {
        CheckpointRecord sealed = checkpoint();
        LostEvents lost = new LostEvents(violated, sealed);
        List<EventSigner> supplied = Failure.configured("--config: ", () -> RecordParsers.newSigners(config));
        if (lost.count() == 0) {
            throw Failure.usage("the alert names no lost event: " + AlertText.summary(violated));
        }
        if (lost.known() == 0) {
            err.println("stormproof: the lost events cannot be found, since nothing states their signatures: "
                    + (sealed == null
                            ? "the log no longer holds the checkpoint"
                            : sealed.checkpoint().leavesMatchRoot()
                                    ? "the checkpoint states none of them"
                                    : "the checkpoint holds the root alone (stormproof.checkpoint.detail=root)"));
            return unnamed(lost);
        }
        List<LostEvents.Signing> signers = lost.signers(sealed, supplied);
        if (signers.isEmpty()) {
            err.println("stormproof: the signatures are made by "
                    + (sealed == null
                            ? "an algorithm that is unknown here"
                            : LostEvents.algorithm(sealed.checkpoint().signatureAlgorithm()))
                    + ": name its class as event.signers in --config");
            return unnamed(lost);
        }
        return compare(candidates, lost, signers);
    }

    /** Nothing was compared; programs get their sum all the same. */
    private int unnamed(LostEvents lost) {
        if (json) {
            List<Long> missing = new ArrayList<>();
            lost.sequences().forEach(missing::add);
            out.println(sum(lost, 0, missing, new long[2]));
        }
        return ExitCode.INCONCLUSIVE;
    }

    private int compare(Candidates candidates, LostEvents lost, List<LostEvents.Signing> signers) throws IOException {
        Set<Long> named = new HashSet<>();
        long[] counts = new long[2];
        candidates.forEach((place, key, value) -> {
            counts[0]++;
            for (LostEvents.Signing signer : signers) {
                List<Long> sequences = lost.of(signer.of(key, value));
                if (!sequences.isEmpty()) {
                    named.addAll(sequences);
                    if (counts[1]++ < MOST_LINES) {
                        out.println(json ? match(sequences, place, key, value) : line(sequences, place, key, value));
                    }
                    break;
                }
            }
            return !out.checkError();
        });
        if (counts[1] > MOST_LINES && !json) {
            out.println("and " + (counts[1] - MOST_LINES) + " more candidates that match");
        }
        List<Long> missing = new ArrayList<>();
        lost.sequences().forEach(sequence -> {
            if (!named.contains(sequence)) {
                missing.add(sequence);
            }
        });
        if (json) {
            out.println(sum(lost, named.size(), missing, counts));
        } else {
            summarize(lost, named.size(), missing, counts[0]);
        }
        return named.size() == lost.count() && !violated.isCut() ? ExitCode.VERIFIED : ExitCode.INCONCLUSIVE;
    }

    private String match(List<Long> sequences, String place, byte @Nullable [] key, byte @Nullable [] value) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("kind", kind(sequences.get(0)).strip());
        ArrayNode which = node.putArray("sequences");
        sequences.stream().limit(MOST_LINES).forEach(which::add);
        return node.put("place", place)
                .put("keyBase64", base64(key))
                .put("valueBase64", base64(value))
                .toString();
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }

    private String sum(LostEvents lost, int named, List<Long> missing, long[] counts) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("named", named)
                .put("missing", lost.count())
                .put("candidates", counts[0])
                .put("matches", counts[1])
                .put("cut", violated.isCut());
        ArrayNode unmatched = node.putArray("unmatched");
        missing.stream().limit(MOST_LINES).forEach(unmatched::add);
        ArrayNode unknown = node.putArray("unknown");
        lost.unknown().stream()
                .limit(MOST_LINES)
                .forEach(
                        range -> unknown.addObject().put("begin", range.begin()).put("end", range.end()));
        return node.toString();
    }

    private String line(List<Long> sequences, String place, byte @Nullable [] key, byte @Nullable [] value) {
        String which = sequences.size() == 1
                ? "event " + sequences.get(0)
                : "one of the events "
                        + sequences.stream().limit(10).map(String::valueOf).collect(Collectors.joining(", "))
                        + (sequences.size() > 10 ? ", …" : "");
        return kind(sequences.get(0)) + "  " + which + " is " + place + "  key " + shown(key) + "  value "
                + shown(value);
    }

    private String kind(long sequence) {
        return violated.anomalies().stream()
                .filter(anomaly -> anomaly.begin() <= sequence && sequence < anomaly.end())
                .map(Anomaly::kind)
                .filter(kind -> kind == Anomaly.Kind.ALTERED || kind == Anomaly.Kind.DIVERTED)
                .findFirst()
                .map(kind -> kind == Anomaly.Kind.ALTERED ? "altered " : "diverted")
                .orElse("lost    ");
    }

    private void summarize(LostEvents lost, int named, List<Long> missing, long candidates) {
        out.println(named + " of " + lost.count() + " events were found among " + candidates + " candidates"
                + (violated.isCut() ? "; the alert names the first of " + violated.anomalyCount() + " anomalies" : ""));
        if (!missing.isEmpty()) {
            out.println("no candidate has the signature of: "
                    + missing.stream().limit(MOST_LINES).map(String::valueOf).collect(Collectors.joining(", "))
                    + (missing.size() > MOST_LINES ? ", …" : "")
                    + ". Were key and value taken as they were serialized?");
        }
        if (!lost.unknown().isEmpty()) {
            out.println("nothing states the signatures of: "
                    + lost.unknown().stream()
                            .limit(MOST_LINES)
                            .map(range -> "[" + range.begin() + ", " + range.end() + ")")
                            .collect(Collectors.joining(", ")));
        }
    }

    /** The first bytes of a key or value: as text, or as digits if it is none. */
    private static String shown(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "null";
        }
        int size = Math.min(bytes.length, MOST_SHOWN_BYTES);
        String more = bytes.length > size ? "… (" + bytes.length + " bytes)" : "";
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            int chars = text.offsetByCodePoints(0, Math.min(MOST_SHOWN_BYTES, text.codePointCount(0, text.length())));
            return '"' + Printable.line(text.substring(0, chars)) + '"' + (chars < text.length() ? "…" : "");
        } catch (CharacterCodingException e) {
            return "0x" + HexFormat.of().formatHex(bytes, 0, size) + more;
        }
    }

    /** The checkpoint that the verdict rests on; null if the log no longer holds it. */
    private @Nullable CheckpointRecord checkpoint() {
        IntervalId interval = violated.interval();
        TopicPartition partition =
                new TopicPartition(interval.stream().topic(), interval.stream().partition());
        List<CheckpointRecord> found = new ArrayList<>(1);
        read(
                partition,
                interval.checkpointOffset(),
                interval.checkpointOffset() + 1,
                (record, epoch, time, content) -> {
                    if (record instanceof CheckpointRecord sealed
                            && sealed.checkpoint().stream().equals(interval.stream())
                            && sealed.chainHash().equals(interval.seal().checkpointHash())) {
                        found.add(sealed);
                    }
                    // A mirror's, if no configuration says of which topic it is one.
                    byte[] bytes = content.get().headers().last(Format2Checkpoint.HEADER);
                    if (found.isEmpty() && bytes != null) {
                        stated(bytes, record.offset(), time, interval).ifPresent(found::add);
                    }
                    return true;
                });
        return found.isEmpty() ? null : found.get(0);
    }

    /** The checkpoint of another topic in a record's header, if its hash is the one on which the verdict rests. */
    private static Optional<CheckpointRecord> stated(byte[] bytes, long offset, long millis, IntervalId interval) {
        try {
            Format2Checkpoint checkpoint = CheckpointCodec.decode(bytes);
            Hash hash = CheckpointCodec.chainHash(checkpoint.treeHash(), bytes);
            return hash.equals(interval.seal().checkpointHash())
                    ? Optional.of(new CheckpointRecord(offset, checkpoint, hash, millis))
                    : Optional.empty();
        } catch (MalformedCheckpointException e) {
            return Optional.empty();
        }
    }

    public Candidates topic(String topic) throws InterruptedException {
        List<TopicPartition> partitions = connection.partitions(topic);
        return visitor -> {
            for (TopicPartition partition : partitions) {
                read(partition, 0, Long.MAX_VALUE, (record, epoch, time, content) -> {
                    var copy = content.get();
                    return record instanceof CheckpointRecord
                            || visitor.visit(partition + "@" + record.offset(), copy.key(), copy.value());
                });
            }
        };
    }

    /** Reads what the log holds of a range. */
    private void read(TopicPartition partition, long begin, long end, PartitionReader.Taker taker) {
        try (LogReader log = new KafkaLogReader(
                new HashMap<>(connection.clientProperties()), RecordParsers.newParser(config), PATIENCE)) {
            PartitionReader reader = log.of(partition);
            PartitionReader.Bounds bounds = reader.bounds();
            long from = Math.max(begin, bounds.begin());
            long to = Math.min(end, bounds.end());
            if (from < to) {
                reader.scan(from, to, taker);
            }
        } catch (ExpiredRangeException e) {
            throw Failure.own(partition + ": records expired while they were read; try again", e);
        } catch (KafkaException e) {
            throw Failure.own(partition + " cannot be read: " + Failure.ofClient(e), e);
        }
    }
}
