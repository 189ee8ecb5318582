package dev.stormproof.cli.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * A fault plan places each fault: at sites that are drawn from a seed before the first event is sent.
 *
 * <pre>
 *   events of a partition   0 1 2 3 4 5 6 7 8 9 …                       n-1
 *   a loss at 2                 ╳
 *   a move of 8 by 3                        [8 9 10 11)  arrives after event 11
 *                               └── gap ──┘
 * </pre>
 *
 * <p>A site spans every event that its fault touches or passes; between two sites of a partition are at least {@value
 * FaultSite#GAP_EVENTS} untouched events, so that each fault stays distinct from the others. A swap or a move ends before the
 * partition's last event. A third of the sites is drawn at the edges of intervals, where verifiers err.
 *
 * <p>The same arguments give the same plan. Immutable.
 */
public final class FaultPlan {
    private final Map<TopicPartition, NavigableMap<Long, FaultSite>> sites;
    private final long seed;

    private FaultPlan(Map<TopicPartition, NavigableMap<Long, FaultSite>> sites, long seed) {
        this.sites = sites;
        this.seed = seed;
    }

    public static FaultPlan none() {
        return new FaultPlan(Map.of(), 0);
    }

    /**
     * A place for one fault.
     *
     * @param ordinal the event to inject it into: its place among the events of the partition, from 0
     * @param distance after how many of the following events a moved one arrives
     */
    public record Place(FaultKind kind, TopicPartition partition, long ordinal, int distance) {}

    /** The plan that has each fault at its place; the places of a partition are apart. */
    public static FaultPlan at(List<Place> places, long seed) {
        Map<TopicPartition, NavigableMap<Long, FaultSite>> sites = new HashMap<>();
        for (Place place : places) {
            int distance = switch (place.kind()) {
                case MOVE -> place.distance();
                case SWAP -> 1;
                default -> 0;
            };
            sites.computeIfAbsent(place.partition(), any -> new TreeMap<>())
                    .put(place.ordinal(), new FaultSite(place.kind(), place.ordinal(), distance));
        }
        return new FaultPlan(sites, seed);
    }

    /**
     * Draws a plan.
     *
     * @param counts how many faults of each kind; a kind that is missing has none
     * @param checkpointEvery how many events an interval has: the longest move, and where the edges are
     * @throws IllegalArgumentException if the faults do not fit; the message says what to change
     */
    public static FaultPlan of(
            Map<TopicPartition, Integer> eventsPerPartition,
            Map<FaultKind, Integer> counts,
            int checkpointEvery,
            long seed) {
        if (checkpointEvery < 1) {
            throw new IllegalArgumentException("an interval has at least 1 event, not " + checkpointEvery);
        }
        List<FaultKind> faults = faultsOf(counts);
        if (checkpointEvery < 2 && faults.contains(FaultKind.MOVE)) {
            throw new IllegalArgumentException("a move passes at least 2 events and at most an interval's: "
                    + "let an interval have at least 2 events, or inject no moves");
        }
        SiteDrawing drawing = new SiteDrawing(eventsPerPartition, checkpointEvery, new SplittableRandom(seed));
        Map<TopicPartition, NavigableMap<Long, FaultSite>> sites = drawing.draw(faults)
                .orElseThrow(() -> new IllegalArgumentException(faults.size() + " faults do not fit into "
                        + drawing.totalEvents() + " events in " + eventsPerPartition.size() + " partitions with "
                        + FaultSite.GAP_EVENTS
                        + " untouched events between them: inject fewer faults or send more events"));
        return new FaultPlan(sites, seed);
    }

    /** The sites of a partition in order, by the event. */
    NavigableMap<Long, FaultSite> sitesOf(TopicPartition partition) {
        return sites.getOrDefault(partition, Collections.emptyNavigableMap());
    }

    /** Random numbers for the fault of this event, the same whenever it is asked for. */
    SplittableRandom randomFor(TopicPartition partition, long ordinal) {
        return new SplittableRandom(seed + 31L * partition.hashCode() + 1_000_003L * ordinal);
    }

    private static List<FaultKind> faultsOf(Map<FaultKind, Integer> counts) {
        List<FaultKind> faults = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            int count = counts.getOrDefault(kind, 0);
            if (count < 0) {
                throw new IllegalArgumentException(kind.label() + "=" + count + ": how many cannot be negative");
            }
            faults.addAll(Collections.nCopies(count, kind));
        }
        return faults;
    }
}
