package dev.stormproof.chaos;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The kept checkpoints of a round say for a person what lies in the log of each stream: where, of which number, behind which, and which
 * events lie before it.
 *
 * <pre>
 *   orders-3/10281e6b483cb90b
 *     @4711 … #5 [100, 120) 4f1c… behind 90aa…, hint 4500, uncertain [], before it [100 to 119]
 *     @4790 … #5 [100, 240) 77b0… behind 90aa…, hint -1, closing, uncertain [[100, 240)], before it []
 * </pre>
 */
final class KeptCheckpoints {
    private static final int HASH_DIGITS = 8;
    private static final Pattern EMITTER = Pattern.compile("[0-9a-f]{16}");

    private final Map<String, List<String>> streams = new TreeMap<>();
    private final Map<StreamId, List<SequenceRun>> since = new HashMap<>();

    /** Neighbouring sequences as they lie in the log. */
    private record SequenceRun(long begin, long end) {
        @Override
        public String toString() {
            return begin + 1 == end ? Long.toString(begin) : begin + " to " + (end - 1);
        }
    }

    private final Set<String> emitters;

    private KeptCheckpoints(Set<String> emitters) {
        this.emitters = emitters;
    }

    /** Reads part of a log, and returns the lines of those streams that a text names. */
    static List<String> read(
            String servers, Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends, String wanted)
            throws ExpiredRangeException {
        KeptCheckpoints kept = new KeptCheckpoints(
                EMITTER.matcher(wanted).results().map(MatchResult::group).collect(Collectors.toSet()));
        RoundLog.scan(servers, begins, ends, kept::note);
        return kept.lines();
    }

    private void note(TopicPartition partition, LogRecord record, int leaderEpoch, long timestampMillis) {
        if (record instanceof Event event && emitters.contains(HexFormat.of().toHexDigits(event.emitter()))) {
            append(
                    since.computeIfAbsent(
                            new StreamId(partition.topic(), partition.partition(), event.emitter()),
                            first -> new ArrayList<>()),
                    event.sequence());
        } else if (record instanceof CheckpointRecord checkpoint
                && checkpoint.checkpoint() instanceof Format2Checkpoint sealed
                && emitters.contains(sealed.stream().emitterHex())) {
            List<SequenceRun> runs = since.remove(sealed.stream());
            streams.computeIfAbsent(sealed.stream().toString(), first -> new ArrayList<>())
                    .add(line(checkpoint, sealed, leaderEpoch, timestampMillis, runs == null ? List.of() : runs));
        }
    }

    private static void append(List<SequenceRun> runs, long sequence) {
        int last = runs.size() - 1;
        if (last >= 0 && runs.get(last).end() == sequence) {
            runs.set(last, new SequenceRun(runs.get(last).begin(), sequence + 1));
        } else {
            runs.add(new SequenceRun(sequence, sequence + 1));
        }
    }

    private static String line(
            CheckpointRecord record,
            Format2Checkpoint sealed,
            int leaderEpoch,
            long timestampMillis,
            List<SequenceRun> runs) {
        return String.format(
                Locale.ROOT,
                "  @%8d epoch %d %s made %s  #%d [%d, %d) %s behind %s, hint %d%s, uncertain %s, before it %s",
                record.offset(),
                leaderEpoch,
                Instant.ofEpochMilli(timestampMillis),
                Instant.ofEpochMilli(sealed.createdAtMillis()),
                sealed.number(),
                sealed.firstSequence(),
                sealed.nextSequence(),
                digits(record.chainHash()),
                digits(sealed.previousHash()),
                sealed.previousOffsetHint(),
                sealed.closing() ? ", closing" : "",
                sealed.uncertain(),
                runs);
    }

    private static String digits(Object hash) {
        String text = hash.toString();
        return text.length() > HASH_DIGITS ? text.substring(0, HASH_DIGITS) : text;
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        streams.forEach((stream, records) -> {
            lines.add(stream);
            lines.addAll(records);
        });
        since.forEach((stream, runs) -> lines.add("behind its last checkpoint " + stream + " " + runs));
        return lines;
    }
}
