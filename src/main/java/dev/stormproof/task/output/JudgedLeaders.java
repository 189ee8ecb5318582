package dev.stormproof.task.output;

import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The leaders whose records the verifier read, as far back as records are held: the verifier judged the records of these.
 *
 * <p>It keeps all leaders that may be needed, while {@link Leaders} keeps only the newest ones.
 */
final class JudgedLeaders {
    private final NavigableMap<Long, Integer> epochByBegin = new TreeMap<>();
    /** The epoch of the last leader before the kept ones; {@link Leaders#NO_EPOCH} if none was forgotten. */
    private int forgotten = Leaders.NO_EPOCH;

    /** True if no leader is known. */
    boolean areUnknown() {
        return epochByBegin.isEmpty() && forgotten == Leaders.NO_EPOCH;
    }

    /** True if the record is from the leader whose record the verifier read at its offset. */
    boolean have(Read read) {
        return !areUnknown() && of(read) == read.leaderEpoch();
    }

    /**
     * The epoch of the leader whose record at its offset the verifier read. The epoch of the own record is earlier if it was cut off after it
     * was read here, and before the verifier came there; it is later if the verifier does not know of the cut yet.
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

    /** Adds the leader of a record, which wrote everything from its offset. */
    void note(Read read) {
        truncated(read.record().offset());
        epochByBegin.put(read.record().offset(), read.leaderEpoch());
    }

    /** Forgets the leaders that begin at or after an offset. */
    void truncated(long offset) {
        epochByBegin.tailMap(offset, true).clear();
    }

    /** Forgets the leaders that wrote nothing at or after an offset. */
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
