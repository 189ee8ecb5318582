package dev.stormproof.output;

import dev.stormproof.judge.Seal;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict;
import dev.stormproof.merkle.Hash;
import dev.stormproof.output.Judged.Chained;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The judgements on one emitter's intervals, by the offsets of their checkpoints. */
final class JudgedStream {
    /** How many judgements, or checkpoints, are looked through for the one that is wanted. */
    static final int MOST_PASSED = 100;

    final TreeMap<Long, Judged> sealed = new TreeMap<>();
    /** The checkpoints that are not judged yet, or never will be, by their offsets. */
    final TreeMap<Long, Chained> unjudged = new TreeMap<>();
    /** The last checkpoint that the output has passed; null if none is known. */
    @Nullable
    Hash passed;

    @Nullable
    Verdict unsealed;

    boolean unlisted;

    boolean isEmpty() {
        return sealed.isEmpty() && unjudged.isEmpty() && unsealed == null && !unlisted;
    }

    int size() {
        return sealed.size() + unjudged.size();
    }

    /**
     * Where the checkpoint lies that an interval's own continues: rather too late than too early, for what lies before is held.
     *
     * @param unnoted where the last checkpoint lies that is not known here
     */
    long beginOf(SealedInterval interval, Chained chained, long unnoted) {
        Hash previous = chained.previous();
        if (previous.sizeBytes() == 0) {
            return Judged.NOWHERE;
        }
        long judged = judgedAt(previous, interval);
        // It says nothing of what lies before a copy of that checkpoint: the first one may have expired when it was
        // judged.
        // guard: recovered-end-continues-the-nearest-statement: false
        boolean nearest = interval.seal().recovery() == Seal.Recovery.RECOVERED;
        if (!nearest && (judged != Judged.NOWHERE || previous.equals(passed))) {
            return judged;
        }
        long unjudged = unjudgedAt(previous, interval, nearest);
        // guard: copy-before-a-checkpoint-that-found-no-room-is-held: unjudged
        return Math.max(judged, unjudged == Judged.NOWHERE ? unnoted : unjudged);
    }

    /** Where one that was judged ends at a checkpoint, or holds it; so, too, where too many were looked through. */
    private long judgedAt(Hash checkpoint, SealedInterval interval) {
        int looked = 0;
        for (Map.Entry<Long, Judged> one : sealed.headMap(interval.checkpointOffset(), false)
                .descendingMap()
                .entrySet()) {
            Judged judged = one.getValue();
            boolean found = judged.isEndedBy(checkpoint) || judged.hasWithin(interval.number() - 1);
            if (found || ++looked > MOST_PASSED) {
                return one.getKey();
            }
        }
        return Judged.NOWHERE;
    }

    /** Where a checkpoint that is not judged lies first, or nearest; so, too, where too many were looked through. */
    private long unjudgedAt(Hash checkpoint, SealedInterval interval, boolean nearest) {
        long found = Judged.NOWHERE;
        int looked = 0;
        for (Map.Entry<Long, Chained> one : unjudged.headMap(interval.checkpointOffset(), false)
                .descendingMap()
                .entrySet()) {
            if (one.getValue().own().equals(checkpoint)) {
                found = one.getKey();
            }
            boolean enough = ++looked > MOST_PASSED;
            if (enough || (nearest && found != Judged.NOWHERE)) {
                return found == Judged.NOWHERE ? one.getKey() : found;
            }
        }
        return found;
    }
}
