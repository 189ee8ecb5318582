package dev.stormproof.verify.feed;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newest {@value #MOST} leader epochs of one partition, by the offset at which each was first seen. */
final class LeaderEpochs {
    private static final int MOST = 64;

    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();
    /** The same by the offset after the previous leader's last record: the log holds none in between. */
    private final TreeMap<Long, Integer> epochByBegin = new TreeMap<>();
    /** The answer of the last {@link #leadersBefore}; null if an epoch was noted since. */
    private @Nullable Leaders asked;
    /** Where the last leader of that answer begins; null if there was none. */
    private @Nullable Long lastAsked;

    /** Notes the epoch of the records from an offset on, and forgets all later ones. */
    void note(long firstOffset, int epoch) {
        note(firstOffset, firstOffset, epoch);
    }

    /**
     * Notes the same of a leader whose first record follows another one.
     *
     * @param begin the offset after that one
     */
    void note(long begin, long firstOffset, int epoch) {
        put(epochByFirstOffset, firstOffset, epoch);
        put(epochByBegin, begin, epoch);
        asked = null;
    }

    private static void put(NavigableMap<Long, Integer> epochs, long offset, int epoch) {
        epochs.tailMap(offset, true).clear();
        epochs.put(offset, epoch);
        if (epochs.size() > MOST) {
            epochs.pollFirstEntry();
        }
    }

    /** The leaders that begin before an offset; the same object as before if nothing changed. */
    Leaders leadersBefore(long offset) {
        Long last = epochByBegin.lowerKey(offset);
        Leaders leaders = asked;
        if (leaders == null || !Objects.equals(last, lastAsked)) {
            leaders = new Leaders(new TreeMap<>(epochByBegin.headMap(offset)));
            asked = leaders;
            lastAsked = last;
        }
        return leaders;
    }

    /**
     * The epoch of the last record before an offset; if that is unknown the first one that is known, which is not less;
     * {@link DeliveryLink#NO_EPOCH} if none is.
     */
    int before(long offset) {
        Map.Entry<Long, Integer> entry = epochByFirstOffset.lowerEntry(offset);
        if (entry == null || entry.getValue() == DeliveryLink.NO_EPOCH) {
            entry = epochByFirstOffset.ceilingEntry(offset);
        }
        return entry == null ? DeliveryLink.NO_EPOCH : entry.getValue();
    }
}
