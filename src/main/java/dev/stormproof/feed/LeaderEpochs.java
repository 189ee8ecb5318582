package dev.stormproof.feed;

import dev.stormproof.checkpoint.Leaders;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The leader epochs of one partition by the offset at which each was first seen, the newest {@value #MOST} of them. */
final class LeaderEpochs {
    private static final int MOST = 64;

    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();
    /** The same by the offset behind the last record of the leader before: in between the log holds none. */
    private final TreeMap<Long, Integer> epochByBegin = new TreeMap<>();

    /** Notes the epoch of the records from an offset on; what was known of them before was of another log. */
    void note(long firstOffset, int epoch) {
        note(firstOffset, firstOffset, epoch);
    }

    /**
     * Notes the same of a leader whose first record follows another one.
     *
     * @param begin the offset behind that one
     */
    void note(long begin, long firstOffset, int epoch) {
        put(epochByFirstOffset, firstOffset, epoch);
        put(epochByBegin, begin, epoch);
    }

    private static void put(NavigableMap<Long, Integer> epochs, long offset, int epoch) {
        epochs.tailMap(offset, true).clear();
        epochs.put(offset, epoch);
        if (epochs.size() > MOST) {
            epochs.pollFirstEntry();
        }
    }

    /** Those that begin before an offset. */
    Leaders leadersBefore(long offset) {
        return new Leaders(new TreeMap<>(epochByBegin.headMap(offset)));
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
