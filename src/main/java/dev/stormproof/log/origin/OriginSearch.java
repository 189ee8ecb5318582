package dev.stormproof.log.origin;

import dev.stormproof.log.audit.OfflineVerifier;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.log.origin.OriginEvidence.Judged;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.RangeQuery;
import dev.stormproof.verify.fold.RunUp;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The search in an origin's log for an interval that is violated in a copy, and the verdicts there.
 *
 * <pre>
 *   copy     ── the interval is violated ──► its checkpoint, by stream and hash
 *   origin   ── from where that hints at, or from its time on ──► the same checkpoint ──► {@link OfflineVerifier}
 *                                                                 └ and those before it that the copy has not
 * </pre>
 */
final class OriginSearch {
    /** How many offsets after the hinted place a checkpoint is searched, and as many for its successor. */
    static final long NEAR_OFFSETS = 65_536;

    /** How many offsets after its time a checkpoint is searched. */
    static final long FAR_OFFSETS = 1_000_000;

    /** How far a producer's clock may be ahead of a broker's that dates the records. */
    private static final long CLOCK_SKEW_MILLIS = 10_000;

    private final PartitionReader log;
    private final TopicPartition partition;
    /** The verdicts of the stretch that was verified last, by the offsets of their checkpoints. */
    private final Map<Long, Finding> verdicts = new HashMap<>();

    private long verifiedFrom;
    private long verifiedTo;

    OriginSearch(PartitionReader log, TopicPartition partition) {
        this.log = log;
        this.partition = partition;
    }

    /** Forgets what was verified, because records expired. */
    void forget() {
        verdicts.clear();
        verifiedTo = verifiedFrom;
    }

    /** What the log holds of an interval that is violated in a copy. */
    OriginEvidence of(Violated violated, Evidence copy) throws ExpiredRangeException {
        Optional<CheckpointRecord> same = sameAs(copy, violated.interval().checkpointOffset());
        if (same.isEmpty()) {
            return OriginEvidence.UNREAD;
        }
        CheckpointRecord target = same.get();
        verify(target.offset());
        long lostFrom = violated.anomalies().stream()
                .filter(anomaly -> anomaly.kind() == Anomaly.Kind.CHECKPOINT_LOST)
                .mapToLong(Anomaly::begin)
                .min()
                .orElse(target.checkpoint().number());
        StreamId stream = target.checkpoint().stream();
        RangeQuery asked = new RangeQuery(stream, verifiedFrom, verifiedFrom, verifiedTo, verifiedTo, 0);
        return evidence(RangeReading.read(log, List.of(asked)).get(0), lostFrom, target);
    }

    private OriginEvidence evidence(LogRange there, long lostFrom, CheckpointRecord target) {
        List<Judged> judged = new ArrayList<>();
        long fromNumber = Long.MAX_VALUE;
        long fromSequence = Long.MAX_VALUE;
        for (CheckpointRecord record : there.checkpoints()) {
            long number = record.checkpoint().number();
            Finding finding = verdicts.get(record.offset());
            if (record.offset() <= target.offset() && number >= lostFrom && finding instanceof Verdict) {
                List<Event> events = record.offset() == target.offset() ? there.events() : List.of();
                judged.add(new Judged(
                        record.checkpoint().firstSequence(),
                        record.checkpoint().nextSequence(),
                        Optional.of(finding),
                        events));
                fromNumber = Math.min(fromNumber, number);
                fromSequence = Math.min(fromSequence, record.checkpoint().firstSequence());
            }
        }
        return judged.isEmpty() ? OriginEvidence.UNREAD : new OriginEvidence(fromNumber, fromSequence, judged);
    }

    /** Verifies the stretch around an offset, unless that is done. */
    private void verify(long offset) {
        if (verifiedFrom <= offset && offset < verifiedTo && verdicts.containsKey(offset)) {
            return;
        }
        PartitionReader.Bounds bounds = log.bounds();
        verifiedFrom = Math.max(bounds.begin(), offset - RunUp.OFFSETS);
        verifiedTo = Math.min(bounds.end(), offset + NEAR_OFFSETS);
        verdicts.clear();
        new OfflineVerifier(
                        log,
                        log,
                        RangeCase.Origin.NONE,
                        new Range(partition, verifiedFrom, verifiedTo, verifiedTo, Long.MAX_VALUE, Long.MAX_VALUE),
                        InactivityTimeouts.DEFAULT,
                        finding -> verdicts.put(finding.anchorOffset(), finding),
                        page -> {},
                        (reached, bytes) -> {})
                .run();
    }

    /** The checkpoint here that is the same as the copy's at an offset. */
    private Optional<CheckpointRecord> sameAs(Evidence copy, long offset) throws ExpiredRangeException {
        Optional<CheckpointRecord> sought = copy.checkpoints().stream()
                .filter(record -> record.offset() == offset)
                .findFirst();
        if (sought.isEmpty() || !(sought.get().checkpoint() instanceof Format2Checkpoint sealed)) {
            return Optional.empty();
        }
        PartitionReader.Bounds bounds = log.bounds();
        long hinted = Math.max(bounds.begin(), sealed.previousOffsetHint());
        Optional<CheckpointRecord> near = first(sought.get(), hinted, Math.min(bounds.end(), hinted + NEAR_OFFSETS));
        if (near.isPresent()) {
            return near;
        }
        long since =
                Math.max(bounds.begin(), log.offsetForTime(Math.max(0, sealed.createdAtMillis() - CLOCK_SKEW_MILLIS)));
        return first(sought.get(), since, Math.min(bounds.end(), since + FAR_OFFSETS));
    }

    private Optional<CheckpointRecord> first(CheckpointRecord sought, long from, long to) throws ExpiredRangeException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        if (from < to) {
            log.scan(from, to, (record, epoch, millis, content) -> {
                if (record instanceof CheckpointRecord checkpoint
                        && checkpoint.checkpoint().stream().emitter()
                                == sought.checkpoint().stream().emitter()
                        && checkpoint.chainHash().equals(sought.chainHash())) {
                    found[0] = checkpoint;
                }
                return found[0] == null;
            });
        }
        return Optional.ofNullable(found[0]);
    }
}
