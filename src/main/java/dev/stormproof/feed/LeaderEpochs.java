package dev.stormproof.feed;

import dev.stormproof.checkpoint.Leaders;
import java.util.Map;
import java.util.TreeMap;

/** The leader epochs of one partition by the offset at which each was first seen, the newest {@value #MOST} of them. */
final class LeaderEpochs {
    private static final int MOST = 64;

    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();

    /** Notes the epoch of the records from an offset on; what was known of them before was of another log. */
    void note(long firstOffset, int epoch) {
        epochByFirstOffset.tailMap(firstOffset).clear();
        epochByFirstOffset.put(firstOffset, epoch);
        if (epochByFirstOffset.size() > MOST) {
            epochByFirstOffset.pollFirstEntry();
        }
    }

    /** Those that begin before an offset. */
    Leaders leadersBefore(long offset) {
        return new Leaders(new TreeMap<>(epochByFirstOffset.headMap(offset)));
    }

    /**
     * The epoch of the last record before an offset; if that is unknown the first one that is known, which is not less;
     * {@link Link#NO_EPOCH} if none is.
     */
    int before(long offset) {
        Map.Entry<Long, Integer> entry = epochByFirstOffset.lowerEntry(offset);
        if (entry == null || entry.getValue() == Link.NO_EPOCH) {
            entry = epochByFirstOffset.ceilingEntry(offset);
        }
        return entry == null ? Link.NO_EPOCH : entry.getValue();
    }
}
