package dev.stormproof.cli.canary;

import dev.stormproof.alert.Alert;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The watch over planted faults: knows which were reported, and whether the verifier is blind.
 *
 * <pre>
 *   planted ──► waits ──its alert, of that event and no other──► reported      those planted before it are missed
 *                 └── for longer than it may ──────────────────► blind         until one that was planted later is reported
 *   nothing could be planted in a partition
 *   for longer than that and an interval ────────────────────► blind         unknown then whether faults are found
 * </pre>
 *
 * <p>Time is an argument, in milliseconds by a monotonic clock. Not safe for threads.
 */
public final class CanaryWatch {
    /** How many faults of a partition are waited for; beyond that the verifier has been blind for long. */
    static final int MOST_WAITING = 100;

    private final long intervalMillis;
    private final long withinMillis;
    private final Map<Integer, LinkedHashMap<String, Planted>> waiting = new HashMap<>();
    private final Map<Integer, Long> unheardSince = new HashMap<>();
    private final Map<Integer, Long> plantedMillis = new HashMap<>();
    /** The partitions of which no fault was reported yet. */
    private final Set<Integer> unreported;

    private long reportedMillis;
    private long reported;
    /** The fault that is being written, and its alert if that came before the fault was noted. */
    private String writing = "";

    private Optional<Alert> early = Optional.empty();

    private record Planted(PlantedFault fault, long millis) {}

    /**
     * @param partitions in which faults are planted
     * @param intervalMillis how often faults are planted
     * @param withinMillis how soon each has to be reported
     */
    public CanaryWatch(Set<Integer> partitions, long intervalMillis, long withinMillis, long nowMillis) {
        this.unreported = new HashSet<>(partitions);
        this.intervalMillis = intervalMillis;
        this.withinMillis = withinMillis;
        this.reportedMillis = nowMillis;
        partitions.forEach(partition -> plantedMillis.put(partition, nowMillis));
    }

    /** Watches over this partition too, from now on; nothing changes if it does already. */
    public void add(int partition, long nowMillis) {
        if (plantedMillis.putIfAbsent(partition, nowMillis) == null) {
            unreported.add(partition);
        }
    }

    /** Expects a fault that is written now: its alert may come before it is noted. */
    public void writes(String name) {
        writing = name;
        early = Optional.empty();
    }

    /** Notes a fault that is in the log, as of when its first event was sent. */
    public void planted(PlantedFault fault, long millis) {
        plantedMillis.merge(fault.partition(), millis, Math::max);
        LinkedHashMap<String, Planted> ofPartition =
                waiting.computeIfAbsent(fault.partition(), first -> new LinkedHashMap<>());
        ofPartition.put(fault.name(), new Planted(fault, millis));
        unheardSince.putIfAbsent(fault.partition(), millis);
        if (ofPartition.size() > MOST_WAITING) {
            ofPartition.remove(ofPartition.keySet().iterator().next());
        }
        early.ifPresent(alert -> {
            boolean unused = reported(alert);
        });
    }

    /** Takes an alert; true if it reports a planted fault, and nothing else. */
    public boolean reported(Alert alert) {
        if (!alert.canary() || !(alert.finding() instanceof Violated violated)) {
            return false;
        }
        Map<String, Planted> ofPartition =
                waiting.getOrDefault(alert.finding().partition().partition(), new LinkedHashMap<>());
        Planted planted = ofPartition.get(violated.interval().emitterName());
        if (planted == null && violated.interval().emitterName().equals(writing)) {
            early = Optional.of(alert);
        }
        if (planted == null || !isNamed(planted.fault(), violated)) {
            return false;
        }
        // Those before it were missed: this report shows that the verifier sees again.
        for (Iterator<Planted> earlier = ofPartition.values().iterator(); earlier.hasNext(); ) {
            boolean last = earlier.next().equals(planted);
            earlier.remove();
            if (last) {
                break;
            }
        }
        int partition = planted.fault().partition();
        Optional<Planted> next = ofPartition.values().stream().findFirst();
        next.ifPresentOrElse(one -> unheardSince.put(partition, one.millis()), () -> unheardSince.remove(partition));
        reportedMillis = Math.max(reportedMillis, planted.millis());
        unreported.remove(partition);
        reported++;
        return true;
    }

    private static boolean isNamed(PlantedFault fault, Violated violated) {
        if (violated.anomalyCount() != 1 || violated.anomalies().size() != 1) {
            return false;
        }
        Anomaly named = violated.anomalies().get(0);
        return named.kind() == Anomaly.Kind.LOST
                && named.begin() == fault.sequence()
                && named.end() == fault.sequence() + 1;
    }

    /** Why nothing that the verifier reports can be relied on; empty if planted faults are reported in time. */
    public Optional<String> blind(long nowMillis) {
        Optional<Long> unheard = unheardSince.values().stream().min(Long::compare);
        if (unheard.isPresent() && nowMillis - unheard.get() > withinMillis) {
            return Optional.of(
                    "a fault that was planted " + (nowMillis - unheard.get()) / 1_000 + " s ago was not reported");
        }
        return plantedMillis.entrySet().stream()
                .filter(planted -> nowMillis - planted.getValue() > intervalMillis + withinMillis)
                .min(Map.Entry.comparingByValue())
                .map(planted -> "no fault could be planted in partition " + planted.getKey() + " for "
                        + (nowMillis - planted.getValue()) / 1_000 + " s");
    }

    /** How long ago the last reported fault was planted, or the watch began. */
    public long sinceReportedMillis(long nowMillis) {
        return nowMillis - reportedMillis;
    }

    public boolean isEachPartitionReported() {
        return unreported.isEmpty();
    }

    public long reported() {
        return reported;
    }
}
