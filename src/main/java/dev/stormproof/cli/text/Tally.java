package dev.stormproof.cli.text;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Acceptances;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.LatestRevisions;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A tally of findings: of each subject the latest revision, however often and in whatever order they come.
 *
 * <p>Everything is counted; kept are the alarms, until they name {@link #MOST_NAMED} things, and of everything the latest
 * revision, for the last {@value #MOST_REMEMBERED} subjects. A finding that comes again later than that counts twice.
 *
 * <p>Not safe for threads.
 */
public final class Tally {
    /** How many anomalies and records are kept one by one. */
    static final int MOST_NAMED = 100_000;

    public static final int MOST_REMEMBERED = 100_000;

    private static final Comparator<StreamId> BY_PLACE = Comparator.comparing(StreamId::topic)
            .thenComparingInt(StreamId::partition)
            .thenComparingLong(StreamId::emitter);

    /** The order of a report, in which equal means {@link Anomaly#sameAs}. */
    private static final Comparator<Anomaly> BY_SEQUENCE = Comparator.comparing(Anomaly::stream, BY_PLACE)
            .thenComparingLong(Anomaly::begin)
            .thenComparing(Anomaly::kind)
            .thenComparingLong(Anomaly::end);

    private final long mostNamed;
    private final Map<String, Alert> alarms = new TreeMap<>();
    private final LatestRevisions<Counted> latest;
    private final Map<Integer, Counts> byPartition = new TreeMap<>();
    private final Acceptances acceptances = new Acceptances();
    private final SortedSet<String> keys = new TreeSet<>();
    private long named;
    private long dropped;
    private long undelivered;
    private boolean unattributed;
    private boolean expiredUnread;

    /**
     * How many intervals of a partition, by their verdict.
     *
     * @param unsealed how many of these have no checkpoint yet
     * @param events how many events these intervals hold, as far as is stated
     * @param proven how many of them are in verified ones
     * @param weak how many of the verified ones are sealed against accidents alone
     */
    public record Counts(
            int verified, int violated, int inconclusive, int unsealed, long events, long proven, int weak) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        /** The intervals whose verdict is final. */
        public int decided() {
            return verified + violated + inconclusive - unsealed;
        }

        static Counts sum(List<Counts> parts) {
            return parts.stream().reduce(NONE, Counts::plus);
        }

        private Counts plus(Counts other) {
            return plus(other, 1);
        }

        private Counts plus(Counts other, int times) {
            return new Counts(
                    verified + times * other.verified,
                    violated + times * other.violated,
                    inconclusive + times * other.inconclusive,
                    unsealed + times * other.unsealed,
                    events + times * other.events,
                    proven + times * other.proven,
                    weak + times * other.weak);
        }

        private static Counts of(Verdict verdict) {
            boolean proof = verdict instanceof Verdict.Verified;
            long events = verdict.interval().eventCount();
            return new Counts(
                    proof ? 1 : 0,
                    verdict instanceof Violated ? 1 : 0,
                    verdict instanceof Inconclusive ? 1 : 0,
                    verdict.isOpen() ? 1 : 0,
                    events,
                    proof ? events : 0,
                    proof && verdict.interval().seal().strength() == Protection.ACCIDENTS ? 1 : 0);
        }
    }

    /** The part of a subject's latest revision in the sums. */
    private record Counted(Counts counts, long dropped, long undelivered) {
        static final Counted NOTHING = new Counted(Counts.NONE, 0, 0);
    }

    private static long undelivered(Finding finding) {
        return finding instanceof Undelivered record && !record.isOver() ? 1 : 0;
    }

    private static boolean wentOn(Finding finding) {
        return finding instanceof Undelivered record && record.isOver();
    }

    public Tally() {
        this(MOST_NAMED, MOST_REMEMBERED);
    }

    public Tally(long mostNamed, int mostRemembered) {
        this.mostNamed = mostNamed;
        this.latest = new LatestRevisions<>(mostRemembered);
    }

    /** Takes an alert; returns true if it says something new. */
    public boolean add(Alert alert) {
        Finding finding = alert.finding();
        if (alert.canary()) {
            return false;
        }
        if (!latest.isNews(finding.id(), finding.revision())) {
            return false;
        }
        Counted before = latest.get(finding.id()).orElse(Counted.NOTHING);
        Counts counts = Counts.NONE;
        if (finding instanceof Verdict verdict) {
            counts = Counts.of(verdict);
            noteKey(verdict);
            byPartition.merge(finding.partition().partition(), counts.plus(before.counts(), -1), Counts::plus);
        }
        unattributed |= finding.type() == Finding.Type.UNATTRIBUTED;
        expiredUnread |= finding.type() == Finding.Type.EXPIRED_UNREAD;
        long lacking = undelivered(finding);
        undelivered += lacking - before.undelivered();
        long unkept = keep(alert);
        dropped += unkept - before.dropped();
        return latest.put(finding.id(), finding.revision(), new Counted(counts, unkept, lacking));
    }

    private void noteKey(Verdict verdict) {
        Seal seal = verdict.interval().seal();
        if (verdict instanceof Verdict.Verified && seal.strength() == Protection.TAMPERING) {
            keys.add(seal.keyId());
        }
    }

    /** The ids of the keys that protect what is verified against tampering. */
    SortedSet<String> keys() {
        return Collections.unmodifiableSortedSet(keys);
    }

    /** Keeps an alarm in place of an open one, if there is room; returns how many things are not kept. */
    private long keep(Alert alert) {
        Alert earlier = alarms.remove(alert.finding().id());
        named -= earlier == null ? 0 : namedBy(earlier);
        if (!alert.isAlarm() || wentOn(alert.finding())) {
            return 0;
        }
        if (named + namedBy(alert) > mostNamed) {
            return alert.finding() instanceof Violated found ? found.anomalyCount() : 1;
        }
        alarms.put(alert.finding().id(), alert);
        named += namedBy(alert);
        return 0;
    }

    private static long namedBy(Alert alarm) {
        return alarm.finding() instanceof Violated found ? found.anomalies().size() : 1;
    }

    public Counts countsOf(int partition) {
        return byPartition.getOrDefault(partition, Counts.NONE);
    }

    public Counts total() {
        return byPartition.values().stream().reduce(Counts.NONE, Counts::plus);
    }

    /** True if each checkpoint that was sent has a verdict that is final. */
    public boolean decides(Map<Integer, EmitterStats> sent) {
        return sent.entrySet().stream()
                .allMatch(partition -> countsOf(partition.getKey()).decided()
                        >= partition.getValue().checkpointsSent());
    }

    /** Every anomaly once, by partition and sequence, though two intervals may name it. */
    public List<Anomaly> anomalies() {
        SortedSet<Anomaly> once = new TreeSet<>(BY_SEQUENCE);
        findings(Violated.class).forEach(verdict -> once.addAll(verdict.anomalies()));
        return List.copyOf(once);
    }

    /** How much was found beyond what alerts name one by one, or what is kept of them. */
    long unnamed() {
        return dropped
                + findings(Violated.class)
                        .mapToLong(verdict ->
                                verdict.anomalyCount() - verdict.anomalies().size())
                        .sum();
    }

    /** The intervals about which nothing can be said, by partition and checkpoint. */
    List<Inconclusive> inconclusive() {
        return findings(Inconclusive.class)
                .sorted(Comparator.comparing((Inconclusive verdict) -> verdict.interval().stream(), BY_PLACE)
                        .thenComparingLong(Inconclusive::anchorOffset))
                .toList();
    }

    /** How many records belong to no stream. */
    long unattributedRecords() {
        return records(false);
    }

    /** How many checkpoints are of emitters that may not write there. */
    long unlistedCheckpoints() {
        return records(true);
    }

    private long records(boolean unlisted) {
        return findings(StrayRecord.class)
                .filter(found -> (found.kind() == UnattributedRecord.Kind.UNLISTED_EMITTER) == unlisted)
                .mapToLong(StrayRecord::count)
                .sum();
    }

    /** The findings on unattributed records, by partition and offset. */
    public List<StrayRecord> unattributed() {
        return findings(StrayRecord.class)
                .sorted(Comparator.comparing(StrayRecord::partition).thenComparingLong(StrayRecord::offset))
                .toList();
    }

    /** The records that expired unread, by partition and offset. */
    List<MissedRecords> expiredUnread() {
        return findings(MissedRecords.class)
                .sorted(Comparator.comparing(MissedRecords::partition).thenComparingLong(MissedRecords::beginOffset))
                .toList();
    }

    boolean hasExpiredUnread() {
        return expiredUnread;
    }

    /** How many records the output lacks. */
    long undelivered() {
        return undelivered;
    }

    public boolean isEmpty() {
        return latest.size() == 0;
    }

    /** How many subjects are kept: their latest revision, or an alarm. */
    int size() {
        return latest.size() + alarms.size();
    }

    private <F extends Finding> Stream<F> findings(Class<F> type) {
        return alarms.values().stream()
                .map(Alert::finding)
                .filter(type::isInstance)
                .map(type::cast);
    }

    /** The exit code of all findings together. */
    public int exitCode() {
        return exitCode(0);
    }

    /**
     * The same, but for so many streams whose checkpoint is overdue; {@link ExitCode#ACCEPTED} in place of another one if everything that is not
     * verified was accepted, and something is proven.
     */
    public int exitCode(long excused) {
        int found = found(excused);
        boolean accepts = found != ExitCode.VERIFIED && dropped == 0 && accepted() > 0 && total().proven() > 0;
        return accepts && isAccepted(excused) ? ExitCode.ACCEPTED : found;
    }

    public void accept(Acceptance acceptance) {
        acceptances.add(acceptance);
    }

    public long accepted() {
        return acceptances().size();
    }

    List<Acceptance> acceptances() {
        return alarms.values().stream()
                .flatMap(alarm -> acceptances.of(alarm).stream())
                .toList();
    }

    /** True if no alert is left to look at. */
    private boolean isAccepted(long excused) {
        List<Finding> open = alarms.values().stream()
                .filter(alarm -> acceptances.of(alarm).isEmpty())
                .map(Alert::finding)
                .toList();
        long unsealed = open.stream()
                .filter(finding -> finding instanceof Inconclusive && finding.isOpen())
                .count();
        return open.size() - Math.min(unsealed, excused) == 0;
    }

    private int found(long excused) {
        Counts total = total();
        if (total.violated() > 0 || unattributed) {
            return ExitCode.VIOLATED;
        }
        if (undelivered > 0) {
            return ExitCode.INCONCLUSIVE;
        }
        // What was never looked at is not proven; nor does an interval prove anything that holds no event.
        long inconclusive = total.inconclusive() - Math.min(total.unsealed(), excused);
        return inconclusive > 0 || expiredUnread || total.proven() == 0 ? ExitCode.INCONCLUSIVE : ExitCode.VERIFIED;
    }
}
