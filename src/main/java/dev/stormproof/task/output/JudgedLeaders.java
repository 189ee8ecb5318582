package dev.stormproof.task.output;

import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The leaders whose records the verifier read, as far back as anything is held: what was judged is what these wrote.
 *
 * <p>All of them are kept that may be asked for, where {@link Leaders} are the newest ones.
 */
final class JudgedLeaders {
    private final NavigableMap<Long, Integer> epochByBegin = new TreeMap<>();
    /** The epoch of the last leader before those that are kept; {@link Leaders#NO_EPOCH} if none was forgotten. */
    private int forgotten = Leaders.NO_EPOCH;

    /** True if no record was noted. */
    boolean areUnknown() {
        return epochByBegin.isEmpty() && forgotten == Leaders.NO_EPOCH;
    }

    /** True if a record was written by the leader that wrote there when the verifier read it. */
    boolean have(Read read) {
        return !areUnknown() && of(read) == read.leaderEpoch();
    }

    /**
     * The epoch of the leader whose record at its offset the verifier read. That of the own record is an earlier one if it was cut off
     * after it was asked for, and before the verifier came there; it is a later one if the verifier does not know yet what was cut off.
     */
    int of(Read read) {
        Map.@Nullable Entry<Long, Integer> judged =
                epochByBegin.floorEntry(read.record().offset());
        if (judged != null) {
            return judged.getValue();
        }
        boolean noneForgotten = forgotten == Leaders.NO_EPOCH;
        return noneForgotten ? read.leaderEpoch() : Math.min(read.leaderEpoch(), forgotten);
    }

    /** Takes the leader of a record, who wrote everything from there on. */
    void note(Read read) {
        truncated(read.record().offset());
        epochByBegin.put(read.record().offset(), read.leaderEpoch());
    }

    /** Forgets those that begin at or behind an offset. */
    void truncated(long offset) {
        epochByBegin.tailMap(offset, true).clear();
    }

    /** Forgets those that wrote nothing at or behind an offset. */
    void forgetBefore(long offset) {
        @Nullable Long first = epochByBegin.floorKey(offset);
        if (first == null) {
            return;
        }
        NavigableMap<Long, Integer> before = epochByBegin.headMap(first, false);
        if (!before.isEmpty()) {
            forgotten = before.lastEntry().getValue();
            before.clear();
        }
    }
}
