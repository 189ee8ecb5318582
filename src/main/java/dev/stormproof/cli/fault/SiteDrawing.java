package dev.stormproof.cli.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The drawing of the sites of a {@link FaultPlan} first scatters them, and packs them if they do not fit so.
 *
 * <pre>
 *   scatter   ──x────────xx──────────x────────   anywhere, a third of them at edges of intervals
 *   pack      each partition gets a share of the faults, and its sites the room that is left between them
 * </pre>
 *
 * <p>Of one use and one thread.
 */
final class SiteDrawing {
    private static final int TRIES = 200;

    private final List<Track> tracks;
    private final int checkpointEvery;
    private final SplittableRandom random;

    /** A partition with its sites so far. */
    private static final class Track {
        final TopicPartition partition;
        final int eventCount;
        final NavigableMap<Long, FaultSite> sites = new TreeMap<>();
        /** The faults that packing puts into this partition. */
        final List<FaultKind> share = new ArrayList<>();

        /** How many events packing has left here. */
        int roomEvents;

        Track(TopicPartition partition, int eventCount) {
            this.partition = partition;
            this.eventCount = eventCount;
        }

        boolean isApart(FaultSite site) {
            Map.Entry<Long, FaultSite> before = sites.floorEntry(site.ordinal());
            Map.Entry<Long, FaultSite> after = sites.ceilingEntry(site.ordinal());
            return (before == null || before.getValue().end() + FaultSite.GAP_EVENTS <= site.ordinal())
                    && (after == null || site.end() + FaultSite.GAP_EVENTS <= after.getKey());
        }

        /** True if the site is in the partition, and what it holds back arrives before the last event. */
        boolean holds(FaultSite site) {
            return site.ordinal() >= 0 && site.end() <= (site.distance() == 0 ? eventCount : eventCount - 1);
        }
    }

    SiteDrawing(Map<TopicPartition, Integer> eventsPerPartition, int checkpointEvery, SplittableRandom random) {
        this.tracks = eventsPerPartition.entrySet().stream()
                .map(entry -> new Track(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing((Track track) -> track.partition.topic())
                        .thenComparing(track -> track.partition.partition()))
                .toList();
        this.checkpointEvery = checkpointEvery;
        this.random = random;
    }

    long totalEvents() {
        return tracks.stream().mapToLong(track -> track.eventCount).sum();
    }

    /** The sites of these faults, by partition; empty if they do not fit. */
    Optional<Map<TopicPartition, NavigableMap<Long, FaultSite>>> draw(List<FaultKind> faults) {
        return scatter(faults) || pack(faults)
                ? Optional.of(tracks.stream().collect(Collectors.toMap(track -> track.partition, track -> track.sites)))
                : Optional.empty();
    }

    private boolean scatter(List<FaultKind> faults) {
        // A move takes at most a quarter of the events that there are for each fault, which leaves room for the others.
        long quarter = totalEvents() / (4L * Math.max(1, faults.size()));
        int longest = (int) Math.min(checkpointEvery, Math.max(2, quarter));
        return faults.stream().allMatch(kind -> scatter(kind, longest));
    }

    private boolean scatter(FaultKind kind, int longest) {
        for (int attempt = 0; attempt < TRIES && totalEvents() > 0; attempt++) {
            Track track = weighted();
            int distance = kind == FaultKind.MOVE ? random.nextInt(2, longest + 1) : shortest(kind);
            long ordinal = random.nextInt(3) == 0
                    ? edge(track.eventCount) - random.nextInt(distance + 2)
                    : random.nextInt(track.eventCount);
            FaultSite site = new FaultSite(kind, ordinal, distance);
            if (track.holds(site) && track.isApart(site)) {
                track.sites.put(ordinal, site);
                return true;
            }
        }
        return false;
    }

    /** Places sites of the least size, spread over the partitions; false if they do not fit. */
    private boolean pack(List<FaultKind> faults) {
        for (Track track : tracks) {
            track.sites.clear();
            track.roomEvents = track.eventCount - 1 + FaultSite.GAP_EVENTS;
        }
        List<FaultKind> widestFirst = new ArrayList<>(faults);
        widestFirst.sort(Comparator.comparing(kind -> -shortest(kind)));
        for (FaultKind kind : widestFirst) {
            Optional<Track> roomiest = tracks.stream().max(Comparator.comparingInt(track -> track.roomEvents));
            int needed = shortest(kind) + 1 + FaultSite.GAP_EVENTS;
            if (roomiest.isEmpty() || roomiest.get().roomEvents < needed) {
                return false;
            }
            roomiest.get().roomEvents -= needed;
            roomiest.get().share.add(kind);
        }
        tracks.forEach(this::spread);
        return true;
    }

    /** Places the share of a partition in random order, with what room is left between the sites. */
    private void spread(Track track) {
        List<FaultKind> share = track.share;
        for (int i = share.size() - 1; i > 0; i--) {
            Collections.swap(share, i, random.nextInt(i + 1));
        }
        int[] shifts =
                random.ints(share.size(), 0, track.roomEvents + 1).sorted().toArray();
        long used = 0;
        for (int i = 0; i < shifts.length; i++) {
            FaultSite site = new FaultSite(share.get(i), used + shifts[i], shortest(share.get(i)));
            track.sites.put(site.ordinal(), site);
            used += site.distance() + 1 + FaultSite.GAP_EVENTS;
        }
    }

    /** A partition, the likelier the more events it has. */
    private Track weighted() {
        long at = random.nextLong(totalEvents());
        for (Track track : tracks) {
            at -= track.eventCount;
            if (at < 0) {
                return track;
            }
        }
        throw new AssertionError("beyond the total");
    }

    private long edge(int eventCount) {
        int intervals = eventCount / checkpointEvery;
        return intervals == 0 ? eventCount : (long) checkpointEvery * random.nextInt(1, intervals + 1);
    }

    private static int shortest(FaultKind kind) {
        return switch (kind) {
            case LOSE, DUPLICATE, ALTER -> 0;
            case SWAP -> 1;
            case MOVE -> 2;
        };
    }
}
