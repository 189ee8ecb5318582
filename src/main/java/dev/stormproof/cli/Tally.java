package dev.stormproof.cli;

import dev.stormproof.alert.Alert;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.Anomaly;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Missed;
import dev.stormproof.verify.Stray;
import dev.stormproof.verify.Verdict;
import dev.stormproof.verify.Verdict.Violated;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What was found so far: of each matter the latest revision, however often and in whatever order it was told.
 *
 * <p>Not safe for threads.
 */
final class Tally {
    private static final Comparator<StreamId> BY_PLACE = Comparator.comparing(StreamId::topic)
            .thenComparingInt(StreamId::partition)
            .thenComparingLong(StreamId::emitter);
    private static final Comparator<Anomaly> BY_SEQUENCE = Comparator.comparing(Anomaly::stream, BY_PLACE)
            .thenComparingLong(Anomaly::begin)
            .thenComparing(Anomaly::kind);

    private final Map<String, Alert> byId = new TreeMap<>();
    private final Map<Integer, Counts> byPartition = new TreeMap<>();

    /** How many intervals of a partition, by their verdict; provisional ones are among the others. */
    record Counts(int verified, int violated, int inconclusive, int provisional) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        /** The intervals on which the last word is spoken. */
        int decided() {
            return verified + violated + inconclusive - provisional;
        }

        Counts plus(Counts other) {
            return new Counts(
                    verified + other.verified,
                    violated + other.violated,
                    inconclusive + other.inconclusive,
                    provisional + other.provisional);
        }

        private Counts minus(Counts other) {
            return new Counts(
                    verified - other.verified,
                    violated - other.violated,
                    inconclusive - other.inconclusive,
                    provisional - other.provisional);
        }

        private static Counts of(Verdict verdict) {
            int provisional = verdict.provisional() ? 1 : 0;
            if (verdict instanceof Verdict.Verified) {
                return new Counts(1, 0, 0, provisional);
            }
            return verdict instanceof Violated ? new Counts(0, 1, 0, provisional) : new Counts(0, 0, 1, provisional);
        }
    }

    /** What {@link Anomaly#sameAs} compares. */
    private record Key(Anomaly.Kind kind, StreamId stream, long begin, long end) {
        static Key of(Anomaly anomaly) {
            return new Key(anomaly.kind(), anomaly.stream(), anomaly.begin(), anomaly.end());
        }
    }

    /**
     * Takes an alert.
     *
     * @return true if it says something new
     */
    boolean add(Alert alert) {
        Alert known = byId.get(alert.alertId());
        if (known != null && known.revision() >= alert.revision()) {
            return false;
        }
        byId.put(alert.alertId(), alert);
        if (alert.finding() instanceof Verdict verdict) {
            Counts change = Counts.of(verdict);
            if (known != null && known.finding() instanceof Verdict before) {
                change = change.minus(Counts.of(before));
            }
            byPartition.merge(verdict.interval().stream().partition(), change, Counts::plus);
        }
        return true;
    }

    Counts countsOf(int partition) {
        return byPartition.getOrDefault(partition, Counts.NONE);
    }

    Counts total() {
        return byPartition.values().stream().reduce(Counts.NONE, Counts::plus);
    }

    /** Every anomaly once, by partition and sequence, though two intervals may name it. */
    List<Anomaly> anomalies() {
        Map<Key, Anomaly> once = new HashMap<>();
        for (Alert alert : byId.values()) {
            if (alert.finding() instanceof Violated violated) {
                violated.anomalies().forEach(anomaly -> once.putIfAbsent(Key.of(anomaly), anomaly));
            }
        }
        return once.values().stream().sorted(BY_SEQUENCE).toList();
    }

    /** How many anomalies were found beyond those that alerts name one by one. */
    long unnamed() {
        return findings(Violated.class)
                .mapToLong(violated ->
                        violated.anomalyCount() - violated.anomalies().size())
                .sum();
    }

    /** The records of no stream, by partition and offset. */
    List<Stray> strays() {
        return findings(Stray.class)
                .sorted(Comparator.comparing(Stray::topic)
                        .thenComparingInt(Stray::partition)
                        .thenComparingLong(Stray::offset))
                .toList();
    }

    /** The records that the log dropped unread, by partition and offset. */
    List<Missed> missed() {
        return findings(Missed.class)
                .sorted(Comparator.comparing(Missed::topic)
                        .thenComparingInt(Missed::partition)
                        .thenComparingLong(Missed::beginOffset))
                .toList();
    }

    private <F extends Finding> Stream<F> findings(Class<F> type) {
        return byId.values().stream()
                .map(Alert::finding)
                .filter(type::isInstance)
                .map(type::cast);
    }

    /** The exit code that says this. */
    int exitCode() {
        Counts total = total();
        if (total.violated() > 0 || !strays().isEmpty()) {
            return ExitCode.VIOLATED;
        }
        return total.inconclusive() > 0 || !missed().isEmpty() ? ExitCode.INCONCLUSIVE : ExitCode.VERIFIED;
    }
}
