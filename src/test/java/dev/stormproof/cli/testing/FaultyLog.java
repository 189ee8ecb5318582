package dev.stormproof.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.task.live.testing.PaperLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A faulty log holds every kind of fault, drawn from a seed, in two halves.
 *
 * <pre>
 *   first half    living streams ────────┐ cut anywhere
 *   second half                          └─────────► closed      streams that crash ────╳     a stream of format 1
 * </pre>
 *
 * <p>Each emitter writes to all partitions, where the streams lie interwoven. To events happens what the fault injector
 * does, a third of it at the edges of intervals; checkpoints are lost, repeated, late, damaged and misplaced; records of no
 * stream lie between.
 */
public final class FaultyLog {
    public static final int PARTITIONS = 3;

    private static final int LIVING = 5;
    private static final int CRASHED = 2;
    private static final int EVENTS_PER_PARTITION = 300;
    private static final String LIVING_DEADLINE_MILLIS = "3600000";
    private static final String CRASHED_DEADLINE_MILLIS = "1000";

    private final String topic;
    private final SplittableRandom random;
    private final List<List<ProducerRecord<byte[], byte[]>>> first = partitions();
    private final List<List<ProducerRecord<byte[], byte[]>>> second = partitions();

    public FaultyLog(String topic, long seed) {
        this.topic = topic;
        this.random = new SplittableRandom(seed);
        List<Map<String, Object>> kinds = List.of(
                Map.of(),
                Map.of("stormproof.tree.hash", "sha256"),
                Map.of("stormproof.checkpoint.detail", "root"),
                Map.of("stormproof.event.signer", "sha256-key-value"));
        List<List<List<ProducerRecord<byte[], byte[]>>>> firsts = new ArrayList<>();
        List<List<List<ProducerRecord<byte[], byte[]>>>> seconds = new ArrayList<>();
        for (int emitter = 0; emitter < LIVING; emitter++) {
            List<List<ProducerRecord<byte[], byte[]>>> streams =
                    emit(kinds.get(emitter % kinds.size()), LIVING_DEADLINE_MILLIS);
            streams.forEach(this::harmCheckpoints);
            firsts.add(streams.stream().map(this::head).toList());
            seconds.add(IntStream.range(0, PARTITIONS)
                    .mapToObj(p ->
                            tail(streams.get(p), firsts.get(firsts.size() - 1).get(p)))
                    .toList());
        }
        for (int emitter = 0; emitter < CRASHED; emitter++) {
            // Both in mid-interval and right behind a checkpoint.
            seconds.add(emit(Map.of(), CRASHED_DEADLINE_MILLIS).stream()
                    .map(emitter == 0 ? this::head : FaultyLog::upToACheckpoint)
                    .toList());
        }
        seconds.add(emit(Map.of("stormproof.format", "1"), LIVING_DEADLINE_MILLIS));
        weave(firsts, first);
        weave(seconds, second);
        second.forEach(this::addStrays);
    }

    /** The records of each partition until the first half's end. */
    public List<List<ProducerRecord<byte[], byte[]>>> first() {
        return first;
    }

    /** And behind it. */
    public List<List<ProducerRecord<byte[], byte[]>>> second() {
        return second;
    }

    /** How many streams end without being closed, though their last checkpoint sets a deadline. */
    public int missedDeadlines() {
        return CRASHED * PARTITIONS;
    }

    private List<List<ProducerRecord<byte[], byte[]>>> emit(Map<String, Object> kind, String deadlineMillis) {
        int every = random.nextInt(5, 40);
        Map<String, Object> settings = new HashMap<>(kind);
        settings.put("stormproof.checkpoint.deadline.ms", deadlineMillis);
        Map<TopicPartition, Integer> events = new HashMap<>();
        Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            events.put(new TopicPartition(topic, partition), EVENTS_PER_PARTITION);
        }
        for (FaultKind fault : FaultKind.values()) {
            faults.put(fault, random.nextInt(2, 7));
        }
        FaultPlan plan = FaultPlan.of(events, faults, every, random.nextLong());
        List<List<ProducerRecord<byte[], byte[]>>> streams = partitions();
        PaperLog.of(topic, PARTITIONS, PARTITIONS * EVENTS_PER_PARTITION, every, settings, plan)
                .forEach(record -> streams.get(record.partition()).add(record));
        return streams;
    }

    /** One thing happens to a checkpoint, or none; never to the first or the last one. */
    private void harmCheckpoints(List<ProducerRecord<byte[], byte[]>> stream) {
        List<Integer> places = checkpointsOf(stream);
        int which = random.nextInt(1, places.size() - 2);
        int place = places.get(which);
        ProducerRecord<byte[], byte[]> checkpoint = stream.get(place);
        switch (random.nextInt(6)) {
            case 0 -> stream.remove(place);
            case 1 -> stream.add(random.nextInt(place + 1, stream.size()), checkpoint);
            case 2 -> {
                stream.add(places.get(which + 1) + 1, checkpoint);
                stream.remove(place);
            }
            case 3 -> stream.set(place, damaged(checkpoint));
            case 4 ->
                stream.add(
                        place,
                        new ProducerRecord<>(
                                topic,
                                (checkpoint.partition() + 1) % PARTITIONS,
                                checkpoint.key(),
                                checkpoint.value(),
                                checkpoint.headers()));
            default -> {}
        }
    }

    private ProducerRecord<byte[], byte[]> damaged(ProducerRecord<byte[], byte[]> checkpoint) {
        byte[] bytes = checkpoint
                .headers()
                .lastHeader(Format2Checkpoint.HEADER)
                .value()
                .clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return new ProducerRecord<>(
                topic,
                checkpoint.partition(),
                checkpoint.key(),
                checkpoint.value(),
                new RecordHeaders().add(Format2Checkpoint.HEADER, bytes));
    }

    private void addStrays(List<ProducerRecord<byte[], byte[]>> partition) {
        for (int i = 0; i < 3; i++) {
            partition.add(
                    random.nextInt(partition.size()), stray(("unsigned " + i).getBytes(UTF_8), new RecordHeaders()));
            partition.add(
                    random.nextInt(partition.size()),
                    stray(new byte[] {1}, new RecordHeaders().add(EventHeader.NAME, new byte[] {(byte) i})));
        }
    }

    private ProducerRecord<byte[], byte[]> stray(byte[] value, Headers headers) {
        return new ProducerRecord<>(topic, null, (byte[]) null, value, headers);
    }

    private List<ProducerRecord<byte[], byte[]>> head(List<ProducerRecord<byte[], byte[]>> stream) {
        int end = random.nextInt(stream.size() / 4, 3 * stream.size() / 4);
        // Not right behind a checkpoint.
        while (isCheckpoint(stream.get(end - 1))) {
            end++;
        }
        return new ArrayList<>(stream.subList(0, end));
    }

    private static List<ProducerRecord<byte[], byte[]>> tail(
            List<ProducerRecord<byte[], byte[]>> stream, List<ProducerRecord<byte[], byte[]>> head) {
        return stream.subList(head.size(), stream.size());
    }

    private static List<ProducerRecord<byte[], byte[]>> upToACheckpoint(List<ProducerRecord<byte[], byte[]>> stream) {
        List<Integer> places = checkpointsOf(stream);
        return stream.subList(0, places.get(places.size() / 2) + 1);
    }

    private void weave(
            List<List<List<ProducerRecord<byte[], byte[]>>>> emitters,
            List<List<ProducerRecord<byte[], byte[]>>> logs) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            record Placed(double place, ProducerRecord<byte[], byte[]> record) {}
            List<Placed> all = new ArrayList<>();
            for (List<List<ProducerRecord<byte[], byte[]>>> emitter : emitters) {
                List<ProducerRecord<byte[], byte[]>> stream = emitter.get(partition);
                double[] places = random.doubles(stream.size()).sorted().toArray();
                for (int i = 0; i < places.length; i++) {
                    all.add(new Placed(places[i], stream.get(i)));
                }
            }
            all.sort(Comparator.comparingDouble(Placed::place));
            List<ProducerRecord<byte[], byte[]>> log = logs.get(partition);
            all.forEach(placed -> log.add(placed.record()));
        }
    }

    private static List<Integer> checkpointsOf(List<ProducerRecord<byte[], byte[]>> stream) {
        return IntStream.range(0, stream.size())
                .filter(i -> isCheckpoint(stream.get(i)))
                .boxed()
                .toList();
    }

    private static boolean isCheckpoint(ProducerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(Format2Checkpoint.HEADER) != null;
    }

    private static List<List<ProducerRecord<byte[], byte[]>>> partitions() {
        return IntStream.range(0, PARTITIONS)
                .<List<ProducerRecord<byte[], byte[]>>>mapToObj(p -> new ArrayList<>())
                .toList();
    }
}
