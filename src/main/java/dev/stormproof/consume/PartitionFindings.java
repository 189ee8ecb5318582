package dev.stormproof.consume;

import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.LatestRevisions;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The alerts about one partition, as far as they say that something in it is not verified.
 *
 * <pre>
 *   checkpoints   …      #7                  #8               #9
 *   offsets   ────┼──────┼───────────────────┼────────────────┼──►
 *   sealed        │      │                   └ violated, inconclusive: the latest revision, by the checkpoint's offset
 *   unsealed      │      └ of an emitter, from a sequence on, until a checkpoint is judged
 *   strays        └─────┘ ranges of records that belong to no stream
 * </pre>
 *
 * <p>Bounded: beyond {@value #MOST} alerts the one that lies furthest up is forgotten, and nothing up to there counts as
 * verified any more. Safe for threads: one adds, another asks.
 */
final class PartitionFindings {
    static final int MOST = 100_000;

    private final LatestRevisions<Judged> latest = new LatestRevisions<>(MOST);
    private final TreeMap<Long, List<Judged>> sealed = new TreeMap<>();
    private final Map<Long, TreeMap<Long, Judged>> unsealed = new HashMap<>();
    private final TreeMap<Long, Stray> strays = new TreeMap<>();
    private int kept;
    private volatile long forgottenBefore;
    private volatile long expiredBefore;
    private volatile long missingBeforeMillis;

    /** What is kept of a judgement: an alert may hold thousands of anomalies, which nobody asks for here. */
    private record Judged(
            String id, Finding.Type type, boolean isUnsealed, long emitter, long firstSequence, long checkpointOffset) {
        static Judged of(Verdict verdict) {
            SealedInterval interval = verdict.interval();
            return new Judged(
                    verdict.id(),
                    verdict.type(),
                    verdict.revision() == Finding.UNSEALED_REVISION,
                    interval.stream().emitter(),
                    interval.firstSequence(),
                    interval.checkpointOffset());
        }
    }

    /** Records from one offset to another that may be of no stream, and the alert of the first; ranges that meet are one. */
    private record Stray(long first, long last, Finding finding) {}

    /** Takes an alert; a revision that is older than a known one changes nothing. */
    synchronized void add(Finding finding) {
        if (finding instanceof Verdict verdict) {
            add(verdict);
        } else if (finding instanceof Unattributed records) {
            add(new Stray(records.offset(), records.lastOffset(), records));
        } else if (finding instanceof ExpiredUnread records) {
            // Before them the log holds nothing any more.
            expiredBefore = Math.max(expiredBefore, records.endOffset());
        }
        if (kept > MOST) {
            forgetFirst();
        }
    }

    /** Alerts that were written before a time may be missing: nothing that was written before it counts as verified. */
    synchronized void missingBefore(long millis) {
        missingBeforeMillis = Math.max(missingBeforeMillis, millis);
    }

    /** Why nothing can be said of a record, whatever its interval; empty if nothing stands against it. */
    Optional<Unverified> ofRecord(long offset, long writtenMillis) {
        if (offset < forgottenBefore) {
            return Optional.of(new Unverified(
                    "", "more alerts lie behind it than are kept, " + MOST + " for each partition", offset + 1));
        }
        if (writtenMillis < missingBeforeMillis) {
            return Optional.of(new Unverified(
                    "", "the alerts topic no longer holds the alerts of its time: keep them for ever", offset + 1));
        }
        if (offset < expiredBefore) {
            return Optional.of(new Unverified("", "it expired before it was verified", offset + 1));
        }
        return Optional.empty();
    }

    /** The finding on a record that belongs to no stream, if there is one. */
    synchronized Optional<Unverified> ofStray(long offset) {
        return strayAt(offset)
                .map(stray -> of(stray.finding().id(), stray.finding().type(), offset + 1));
    }

    /** True if a checkpoint may be one that seals nothing: a repetition, a forgery, one of another partition. */
    synchronized boolean mayBeStray(long checkpointOffset) {
        return strayAt(checkpointOffset).isPresent();
    }

    /** A judgement on an interval of an emitter that ends between two offsets, both included, other than verified. */
    synchronized Optional<Unverified> ofIntervals(long emitter, long fromOffset, long toOffset) {
        return sealed.subMap(fromOffset, true, toOffset, true).values().stream()
                .flatMap(List::stream)
                .filter(judged -> judged.emitter() == emitter)
                .findFirst()
                .map(judged -> of(judged, judged.checkpointOffset() + 1));
    }

    /** The judgement on an event that no checkpoint sealed in time. */
    synchronized Optional<Unverified> ofUnsealed(long emitter, long sequence, long offset) {
        return Optional.ofNullable(unsealed.get(emitter))
                .map(bySequence -> bySequence.floorEntry(sequence))
                .map(Map.Entry::getValue)
                .map(judged -> of(judged, Math.max(offset, judged.checkpointOffset()) + 1));
    }

    private static Unverified of(Judged judged, long endOffset) {
        return of(judged.id(), judged.type(), endOffset);
    }

    private static Unverified of(String id, Finding.Type type, long endOffset) {
        return new Unverified(id, type.label() + ": " + id, endOffset);
    }

    private void add(Verdict verdict) {
        String unsealedSubject = verdict.revisionId(Finding.UNSEALED_REVISION);
        boolean isUnsealed = verdict.revision() == Finding.UNSEALED_REVISION;
        // Two checkpoints may bear one number: what is said of one says nothing of the other.
        String sealedSubject = verdict.id() + "@" + verdict.anchorOffset();
        String subject = isUnsealed ? unsealedSubject : sealedSubject;
        Optional<Judged> before = latest.get(subject);
        Judged judged = Judged.of(verdict);
        if (!latest.put(subject, verdict.revision(), judged)) {
            return;
        }
        before.ifPresent(this::remove);
        if (!isUnsealed) {
            latest.get(unsealedSubject).ifPresent(this::remove);
            latest.remove(unsealedSubject);
        }
        if (verdict.type() == Finding.Type.VERIFIED) {
            return;
        }
        if (isUnsealed) {
            unsealed.computeIfAbsent(judged.emitter(), emitter -> new TreeMap<>())
                    .put(judged.firstSequence(), judged);
        } else {
            sealed.computeIfAbsent(judged.checkpointOffset(), offset -> new ArrayList<>(1))
                    .add(judged);
        }
        kept++;
    }

    private void remove(Judged judged) {
        if (judged.isUnsealed()) {
            Map<Long, Judged> ofEmitter = unsealed.get(judged.emitter());
            if (ofEmitter != null && ofEmitter.remove(judged.firstSequence(), judged)) {
                kept--;
                if (ofEmitter.isEmpty()) {
                    unsealed.remove(judged.emitter());
                }
            }
            return;
        }
        List<Judged> there = sealed.get(judged.checkpointOffset());
        if (there != null && there.remove(judged)) {
            kept--;
            if (there.isEmpty()) {
                sealed.remove(judged.checkpointOffset());
            }
        }
    }

    private void add(Stray stray) {
        Stray joined = stray;
        NavigableMap<Long, Stray> met = strays.headMap(stray.last(), true);
        while (!met.isEmpty() && met.lastEntry().getValue().last() >= joined.first()) {
            Stray other = met.pollLastEntry().getValue();
            kept--;
            joined = new Stray(
                    Math.min(joined.first(), other.first()),
                    Math.max(joined.last(), other.last()),
                    other.first() <= joined.first() ? other.finding() : joined.finding());
        }
        strays.put(joined.first(), joined);
        kept++;
    }

    private Optional<Stray> strayAt(long offset) {
        Map.@Nullable Entry<Long, Stray> at = strays.floorEntry(offset);
        return at == null || at.getValue().last() < offset ? Optional.empty() : Optional.of(at.getValue());
    }

    /** Of what no checkpoint seals nothing is forgotten before the rest: without its alert it counts as unverified all the same. */
    private void forgetFirst() {
        if (!unsealed.isEmpty() && sealed.isEmpty() && strays.isEmpty()) {
            var oldest = unsealed.values().iterator();
            kept -= oldest.next().size();
            oldest.remove();
            return;
        }
        long firstSealed = sealed.isEmpty() ? Long.MAX_VALUE : sealed.firstKey();
        long firstStray = strays.isEmpty() ? Long.MAX_VALUE : strays.firstKey();
        if (firstSealed <= firstStray) {
            kept -= sealed.pollFirstEntry().getValue().size();
            forgottenBefore = Math.max(forgottenBefore, firstSealed + 1);
        } else {
            forgottenBefore =
                    Math.max(forgottenBefore, strays.pollFirstEntry().getValue().last() + 1);
            kept--;
        }
    }
}
