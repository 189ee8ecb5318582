package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lost events of a violation, and those that were altered or diverted, by the signatures that upstream stated of them.
 *
 * <pre>
 *   anomaly of one event   its own signature
 *   anomaly of several     the checkpoint's leaves, if it states theirs, and the log still has it
 *   neither                unknown which event it was
 * </pre>
 */
final class LostEvents {
    private final NavigableMap<Long, Hash> stated = new TreeMap<>();
    private final Map<Hash, List<Long>> bySignature = new HashMap<>();
    private final List<SequenceRange> unknown = new ArrayList<>();
    private long count;

    interface Signing {
        Hash of(byte @Nullable [] key, byte @Nullable [] value);
    }

    /** @param sealed the checkpoint that the violation rests on; null if the log has lost it */
    LostEvents(Violated violated, @Nullable CheckpointRecord sealed) {
        Checkpoint checkpoint = sealed == null ? null : sealed.checkpoint();
        for (Anomaly anomaly : violated.anomalies()) {
            if (isMissing(anomaly)) {
                add(anomaly, checkpoint);
            }
        }
    }

    private static boolean isMissing(Anomaly anomaly) {
        return switch (anomaly.kind()) {
            case LOST, ALTERED, DIVERTED -> true;
            default -> false;
        };
    }

    private void add(Anomaly anomaly, @Nullable Checkpoint checkpoint) {
        count += anomaly.end() - anomaly.begin();
        if (anomaly.end() - anomaly.begin() == 1 && anomaly.expected().sizeBytes() > 0) {
            put(anomaly.begin(), anomaly.expected());
            return;
        }
        long reported = anomaly.begin();
        int index = 0;
        Leaves leaves =
                checkpoint == null ? Leaves.empty() : checkpoint.leaves().orElse(Leaves.empty());
        List<SequenceRange> stated = checkpoint == null ? List.of() : stated(checkpoint);
        for (SequenceRange range : stated) {
            long begin = Math.max(anomaly.begin(), range.begin());
            long end = Math.min(anomaly.end(), range.end());
            for (long sequence = begin; sequence < end; sequence++) {
                put(sequence, leaves.signature((int) (index + sequence - range.begin())));
            }
            if (begin < end) {
                addUnknown(reported, begin);
                reported = end;
            }
            index += (int) range.count();
        }
        addUnknown(reported, anomaly.end());
    }

    private void addUnknown(long begin, long end) {
        if (begin < end) {
            unknown.add(new SequenceRange(begin, end));
        }
    }

    /** The sequences that a checkpoint states leaves of, in the order of these. */
    private static List<SequenceRange> stated(Checkpoint checkpoint) {
        List<SequenceRange> stated = new ArrayList<>();
        if (!checkpoint.leavesMatchRoot()) {
            return stated;
        }
        long begin = checkpoint.firstSequence();
        for (SequenceRange range : checkpoint.uncertain()) {
            if (begin < range.begin()) {
                stated.add(new SequenceRange(begin, range.begin()));
            }
            begin = range.end();
        }
        if (begin < endOf(checkpoint)) {
            stated.add(new SequenceRange(begin, endOf(checkpoint)));
        }
        return stated;
    }

    private static long endOf(Checkpoint checkpoint) {
        return checkpoint.number() == Checkpoint.NO_NUMBER ? checkpoint.eventCount() : checkpoint.nextSequence();
    }

    private void put(long sequence, Hash signature) {
        if (stated.putIfAbsent(sequence, signature) == null) {
            bySignature.computeIfAbsent(signature, first -> new ArrayList<>(1)).add(sequence);
        }
    }

    /** How many events the violation names. */
    long count() {
        return count;
    }

    /** How many of them have a known signature. */
    int known() {
        return stated.size();
    }

    /** The sequences whose signature nothing states. */
    List<SequenceRange> unknown() {
        return unknown;
    }

    /** The sequences of those that have a signature; empty if none has. */
    List<Long> of(Hash signature) {
        return bySignature.getOrDefault(signature, List.of());
    }

    /** All sequences whose signature is known, in order. */
    Iterable<Long> sequences() {
        return stated.keySet();
    }

    /**
     * What computes their signatures: by the checkpoint's algorithm, or without a checkpoint by each algorithm whose signatures have
     * this size; empty if none is known.
     *
     * @param supplied the signers of the application's own
     */
    List<Signing> signers(@Nullable CheckpointRecord sealed, List<EventSigner> supplied) {
        if (sealed != null && sealed.checkpoint().number() == Checkpoint.NO_NUMBER) {
            return List.of(LostEvents::format1);
        }
        if (sealed != null) {
            int id = sealed.checkpoint().signatureAlgorithm();
            return EventSigners.ofId(id)
                    .or(() -> supplied.stream()
                            .filter(signer -> Byte.toUnsignedInt(signer.id()) == id)
                            .findFirst())
                    .<List<Signing>>map(signer -> List.of(signer::sign))
                    .orElse(List.of());
        }
        List<Signing> fitting = new ArrayList<>();
        List<EventSigner> all = new ArrayList<>(supplied);
        EventSigners.ofId(EventSigners.SHA256_KEY_VALUE).ifPresent(all::add);
        EventSigners.ofId(EventSigners.XXH3_KEY_VALUE).ifPresent(all::add);
        for (EventSigner signer : all) {
            if (stated.values().stream().anyMatch(hash -> hash.sizeBytes() == signer.sizeBytes())) {
                fitting.add(signer::sign);
            }
        }
        if (stated.values().stream()
                .anyMatch(hash -> hash.sizeBytes() == 2 * EventSigners.sha1().sizeBytes())) {
            fitting.add(LostEvents::format1);
        }
        return fitting;
    }

    private static Hash format1(byte @Nullable [] key, byte @Nullable [] value) {
        byte[] digits = HexFormat.of()
                .formatHex(EventSigners.sha1().sign(key, value).toByteArray())
                .getBytes(US_ASCII);
        return Hash.copyOf(digits);
    }

    /** The name of an algorithm, for people. */
    static String algorithm(int id) {
        return switch (id) {
            case EventSigners.SHA1 -> "SHA-1 of the value (format 1)";
            case EventSigners.SHA256_KEY_VALUE -> "SHA-256 of key and value";
            case EventSigners.XXH3_KEY_VALUE -> "XXH3-128 of key and value";
            default -> "algorithm " + id + " of the application's own";
        };
    }
}
