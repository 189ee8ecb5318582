package dev.stormproof.sim;

import static dev.stormproof.verify.judge.Verdict.Inconclusive.Reason.UNSEALED;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Says of each single finding whether it may be made, from what emitters sent and what the log held.
 *
 * <p>A finding may rest on the log as it is or as it was before an unclean election, and on what retention had left of it
 * at any time; it must be true of one of them.
 */
final class Oracle {
    private final HistoricLog log;
    private final Map<Long, SentStream> streams;
    private final InactivityTimeouts timeouts;
    private final boolean tight;
    /** True if a verifier has forgotten streams, or may have: for want of room, or since it began anew. */
    private boolean forgetful;
    /** The emitters whose streams were reported as unsealed, and so were given up. */
    private final Set<Long> givenUp = new HashSet<>();

    /** @param tight true if the verifier may forget streams for want of room */
    Oracle(HistoricLog log, Map<Long, SentStream> streams, InactivityTimeouts timeouts, boolean tight) {
        this.log = log;
        this.streams = streams;
        this.timeouts = timeouts;
        this.tight = tight;
        this.forgetful = tight;
    }

    /** A verifier begins anew, and knows no streams. */
    void verifierBegins() {
        forgetful = true;
    }

    /** Throws if the finding is not true. */
    void check(Finding finding, long nowMillis) {
        boolean right;
        if (finding instanceof MissedRecords expired) {
            right = expired.endOffset() <= log.beginOffset() && expired.beginOffset() < expired.endOffset();
        } else if (finding instanceof StrayRecord unattributed) {
            right = log.branches().stream().anyMatch(branch -> isUnattributed(branch, unattributed));
        } else if (finding instanceof Inconclusive unsealed && unsealed.reason() == UNSEALED) {
            right = isSilent(unsealed, nowMillis);
            givenUp.add(unsealed.interval().stream().emitter());
        } else if (finding instanceof Violated open && open.isOpen()) {
            right = contradictsItself(open)
                    && Stream.of("", "after the closing checkpoint")
                            .map(detail -> new Inconclusive(open.interval(), UNSEALED, detail))
                            .anyMatch(unsealed -> isSilent(unsealed, nowMillis));
            givenUp.add(open.interval().stream().emitter());
        } else {
            Verdict verdict = (Verdict) finding;
            right = log.branches().stream().anyMatch(branch -> isRight(branch, verdict));
        }
        if (!right) {
            throw new AssertionError("not true: " + finding);
        }
    }

    /** What the log holds, or held, of one stream. */
    StreamHistory history(Branch branch, long emitter) {
        return new StreamHistory(streams.get(emitter), emitter, branch.visibleOf(emitter));
    }

    private boolean isUnattributed(Branch branch, StrayRecord unattributed) {
        HistoricLog.Entry entry = branch.get(unattributed.offset());
        if (entry == null || entry.visibleAtMillis < 0) {
            return false;
        }
        if (entry.record instanceof UnattributedRecord record) {
            return record.kind() == unattributed.kind();
        }
        if (entry.record instanceof OversizedRecords) {
            return unattributed.kind() == UnattributedRecord.Kind.OVERSIZED;
        }
        if (entry.record instanceof CheckpointRecord record) {
            StreamHistory history = history(branch, record.checkpoint().stream().emitter());
            boolean closedBefore = history.checkpoints.stream()
                    .anyMatch(other -> other.offset() < record.offset()
                            && other.checkpoint().closing());
            if (closedBefore && !history.isHonestEndInDoubt(record)) {
                return true;
            }
            return switch (unattributed.kind()) {
                // Heads are remembered from before a cut whose place has expired.
                case REPEATED_CHECKPOINT ->
                    history.isRepetition(record)
                            || liedBefore(record, other -> other.chainHash().equals(record.chainHash()));
                case FORKED_CHECKPOINT ->
                    !history.isHonestEndInDoubt(record)
                            && (history.isSecond(record)
                                    || history.isBehindAnother(record)
                                    || liedBefore(record, other -> isOfTheSameNumber(other, record)));
                default ->
                    history.isLate(record)
                            || (history.isBehindAnother(record) && !history.isHonestEndInDoubt(record))
                            || liedBefore(record, other -> StreamHistory.number(other) > StreamHistory.number(record));
            };
        }
        return false;
    }

    private static boolean isOfTheSameNumber(CheckpointRecord other, CheckpointRecord record) {
        return StreamHistory.number(other) == StreamHistory.number(record)
                && !other.chainHash().equals(record.chainHash());
    }

    /** True if another checkpoint of the stream ever lay at a lower offset. */
    private boolean liedBefore(CheckpointRecord record, Predicate<CheckpointRecord> other) {
        long emitter = record.checkpoint().stream().emitter();
        return log.branches().stream()
                .flatMap(branch -> history(branch, emitter).checkpoints.stream())
                .anyMatch(one -> one.offset() < record.offset() && other.test(one));
    }

    private boolean isRight(Branch branch, Verdict verdict) {
        StreamHistory history = history(branch, verdict.interval().stream().emitter());
        CheckpointRecord record = history.checkpointAt(verdict.interval().checkpointOffset());
        if (record == null) {
            return verdict instanceof Violated violated && isOfTail(history, violated);
        }
        if (verdict instanceof Verified) {
            return leavesOutWhatIsProven(history, record, List.of())
                    && (isProvenAfterALateOne(branch, history, record)
                            || (mayBeVerified(history, record) && !mustHoldUnread(branch, history, record)));
        }
        if (verdict instanceof Inconclusive inconclusive) {
            return switch (inconclusive.reason()) {
                // What lies before the heads that are known is looked for nowhere.
                case UNANCHORED ->
                    mayHaveLostItsHead(history, record)
                            || history.isBesideACopy(record)
                            || log.branches().size() > 1
                            || (isMixedUp(history, record)
                                    && (log.beginOffset() > 0 || holdsUnreadBehind(branch, -1, record)));
                case EXPIRED ->
                    mayHaveLostItsHead(history, record) || (log.beginOffset() > 0 && isMixedUp(history, record));
                case UNCERTAIN ->
                    (isNotRefusedInVain(history, record)
                                    && leavesOutWhatIsProven(history, record, inconclusive.uncertain())
                                    && (mayBeVerified(history, record) || StreamHistory.isEndInDoubt(record)))
                            || isLeftInDoubt(history, record, inconclusive);
                case OVERSIZED_RECORD -> mayHoldUnread(branch, history, record);
                default -> false;
            };
        }
        return mayBeViolated(history, record);
    }

    /** True if what a checkpoint is uncertain about is told, but for what another one before it may prove, wherever the log began. */
    private boolean leavesOutWhatIsProven(
            StreamHistory history, CheckpointRecord record, List<SequenceRange> uncertain) {
        return log.begins().stream()
                .filter(begin -> begin <= record.offset())
                .anyMatch(begin -> leavesOut(begin == 0 ? history : since(history, begin), record, uncertain));
    }

    private boolean leavesOut(StreamHistory history, CheckpointRecord record, List<SequenceRange> uncertain) {
        return sequences(uncertain).allMatch(sequence -> StreamHistory.isUncertain(record.checkpoint(), sequence))
                && sequences(record.checkpoint().uncertain())
                        .filter(sequence -> uncertain.stream().noneMatch(range -> range.contains(sequence)))
                        .filter(sequence -> !record.checkpoint().refused() || history.isThere(record, sequence))
                        .allMatch(sequence -> history.checkpoints.stream()
                                .filter(other -> other.offset() < record.offset())
                                .filter(other -> other.checkpoint().uncertain().isEmpty())
                                .filter(other -> other.checkpoint().firstSequence() <= sequence
                                        && sequence < other.checkpoint().nextSequence())
                                .anyMatch(other -> mayBeVerified(history, other)));
    }

    /** True unless a checkpoint says that brokers refused what it leaves out, and nothing of it is in the log. */
    private static boolean isNotRefusedInVain(StreamHistory history, CheckpointRecord record) {
        return !record.checkpoint().refused()
                || history.events.stream()
                        .anyMatch(event -> StreamHistory.isUncertain(record.checkpoint(), event.sequence()));
    }

    private static LongStream sequences(List<SequenceRange> ranges) {
        return ranges.stream().flatMapToLong(range -> LongStream.range(range.begin(), range.end()));
    }

    /** True if the end of its stream leaves an interval in doubt, and nothing is wrong with it but for that, wherever the log began. */
    private boolean isLeftInDoubt(StreamHistory history, CheckpointRecord record, Inconclusive inconclusive) {
        return log.begins().stream().filter(begin -> begin <= record.offset()).anyMatch(begin -> {
            StreamHistory left = begin == 0 ? history : since(history, begin);
            Predicate<CheckpointRecord> genuine = other -> left.isGenuine(other) && left.seals(other);
            return Stream.of(left::seals, genuine, StreamHistory::isEndInDoubt)
                    .flatMap(counts -> left.leftInDoubtBy(record, counts).stream())
                    .filter(end -> sequences(inconclusive.uncertain())
                            .allMatch(sequence -> StreamHistory.isUncertain(end.checkpoint(), sequence)))
                    .anyMatch(
                            end -> left.isPerfectBefore(record, end.checkpoint().firstSequence(), begin));
        });
    }

    /**
     * True if a record that may be one of an interval's own was never read, whether or not it has expired; or one of another checkpoint in
     * the place of the first, wherever a verifier saw the stream begin; or of those before it that an end of the stream leaves in doubt, too.
     */
    private boolean mayHoldUnread(Branch branch, StreamHistory history, CheckpointRecord record) {
        boolean first = StreamHistory.number(record) == 0;
        return (first && holdsUnreadBehind(branch, history.firstOffset(0, record.offset()), record))
                || (isMixedUp(history, record) && holdsUnreadBehind(branch, -1, record))
                || history.endsThatLeaveInDoubt(record)
                        .anyMatch(end -> holdsUnreadBehind(
                                branch,
                                history.predecessor(end)
                                        .map(CheckpointRecord::offset)
                                        .orElse(-1L),
                                record))
                || holdsUnread(branch, history, record, 0)
                || holdsUnread(branch, since(history, log.beginOffset()), record, 0);
    }

    /** True if one still lies there, wherever the predecessor is taken to lie: retention may have taken the first of several. */
    private boolean mustHoldUnread(Branch branch, StreamHistory history, CheckpointRecord record) {
        long begin = log.beginOffset();
        return holdsUnread(branch, history, record, begin) && holdsUnread(branch, since(history, begin), record, begin);
    }

    private static boolean holdsUnread(Branch branch, StreamHistory history, CheckpointRecord record, long begin) {
        boolean first = StreamHistory.number(record) == 0;
        long after = history.predecessor(record)
                .map(CheckpointRecord::offset)
                .orElse(first ? history.firstOffset(begin, record.offset()) : -1);
        return holdsUnreadBehind(branch, Math.max(after, begin), record);
    }

    private static boolean holdsUnreadBehind(Branch branch, long after, CheckpointRecord record) {
        for (HistoricLog.Entry entry : branch.visible(after, record.offset())) {
            if (entry.record instanceof OversizedRecords) {
                return true;
            }
        }
        return false;
    }

    /** True if the log holds, or held, each event that an unsealed verdict names, and its content is not what its header states. */
    private boolean contradictsItself(Violated open) {
        return !open.anomalies().isEmpty()
                && log.branches().stream()
                        .anyMatch(branch -> open.anomalies().stream().allMatch(anomaly -> {
                            HistoricLog.Entry entry = branch.get(anomaly.offset());
                            return entry != null
                                    && entry.record instanceof Event event
                                    && event.emitter() == anomaly.stream().emitter()
                                    && !event.stated().equals(event.observed());
                        }));
    }

    /** True if events lie behind their stream's closing checkpoint, as a verdict says. */
    private static boolean isOfTail(StreamHistory history, Violated violated) {
        return violated.anomalies().stream()
                .allMatch(anomaly -> history.events.stream()
                                .anyMatch(event ->
                                        event.offset() == anomaly.offset() && event.sequence() == anomaly.begin())
                        && history.checkpoints.stream()
                                .anyMatch(record -> record.offset() < anomaly.offset()
                                        && record.checkpoint().closing()));
    }

    /** An interval lies between the places of its predecessor and its own: one that came late has its place where it lies. */
    private static Stream<CheckpointRecord> lateOnes(StreamHistory history, CheckpointRecord record) {
        return history.seals(record) && !history.isFork(record)
                ? history.lateOnesAfterWhichItIsPerfect(record)
                : Stream.of();
    }

    /** True if an interval is perfect after such a place, and every record from there on was read, whatever lies before it. */
    private boolean isProvenAfterALateOne(Branch branch, StreamHistory history, CheckpointRecord record) {
        return lateOnes(history, record)
                .anyMatch(late -> !holdsUnreadBehind(branch, Math.max(late.offset(), log.beginOffset()), record));
    }

    private boolean mayBeVerified(StreamHistory history, CheckpointRecord record) {
        if (isFaultless(history, record)) {
            return true;
        }
        if (lateOnes(history, record).findAny().isPresent()) {
            return true;
        }
        // Retention may have taken the predecessor, or what was wrong before it.
        for (long begin : log.begins()) {
            StreamHistory left = since(history, begin);
            if (begin > 0
                    && begin <= record.offset()
                    && left.seals(record)
                    && !left.isFork(record)
                    && (left.isChained(record) || left.predecessor(record).isEmpty())
                    && left.isPerfect(record, begin)) {
                return true;
            }
            // What lies far before a stream's first checkpoint is in no interval, once the stream was forgotten.
            if ((forgetful || givenUp.contains(record.checkpoint().stream().emitter()))
                    && record.checkpoint() instanceof Format2Checkpoint
                    && record.checkpoint().number() == 0
                    && left.seals(record)
                    && left.isPerfect(record, begin)) {
                return true;
            }
        }
        // Whoever begins behind what states its number, or names it, has not seen that: what is genuine continues its
        // chain there.
        return forgetful
                && history.isGenuine(record)
                && !history.isRepetition(record)
                && history.checkpoints.stream()
                        .filter(other -> other.offset() < record.offset() && !history.isGenuine(other))
                        .map(other -> since(history, other.offset() + 1))
                        .anyMatch(left -> left.isChained(record)
                                && left.predecessor(record)
                                        .filter(history::isGenuine)
                                        .isPresent()
                                && isFaultless(left, record));
    }

    private boolean mayBeViolated(StreamHistory history, CheckpointRecord record) {
        boolean wrong = !history.isChained(record) || !history.isPerfect(record, 0);
        // With its head gone, a log in which checkpoints were tampered with shows other gaps than it had.
        boolean blurred = log.beginOffset() > 0
                && history.checkpoints.stream()
                        .anyMatch(other ->
                                !history.isGenuine(other) || !history.seals(other) || history.isBehindAnother(other));
        // One that is forged, or lies before its predecessor, breaks the chain in its own place and beside it.
        return wrong || blurred || isMixedUp(history, record);
    }

    /** True if a checkpoint before one was made by nobody, or lies out of its place. */
    private static boolean isMixedUp(StreamHistory history, CheckpointRecord record) {
        return history.checkpoints.stream()
                .anyMatch(other -> other.offset() < record.offset()
                        && !history.isRepetition(other)
                        && (!history.isGenuine(other) || history.isLate(other) || history.isBehindAnother(other)));
    }

    /** True if a checkpoint seals an interval, or has since retention took the one that it repeats or lies behind. */
    boolean everSeals(StreamHistory history, CheckpointRecord record) {
        return history.seals(record)
                || log.begins().stream()
                        .anyMatch(begin -> begin > 0
                                && begin <= record.offset()
                                && since(history, begin).seals(record));
    }

    private static boolean isFaultless(StreamHistory history, CheckpointRecord record) {
        return history.seals(record)
                && !history.isFork(record)
                && history.isChained(record)
                && history.isPerfect(record, 0);
    }

    /** True if retention ever took a record that belongs before the checkpoint. */
    private boolean mayHaveLostItsHead(StreamHistory history, CheckpointRecord record) {
        long since = history.predecessor(record).map(CheckpointRecord::offset).orElse(-1L);
        // It is remembered from before a cut whose place has expired, though a copy of it lies in the log.
        return log.beginOffset() > since
                || (record.checkpoint() instanceof Format2Checkpoint sealed
                        && liedBefore(
                                record,
                                other -> other.offset() < log.beginOffset()
                                        && other.chainHash().equals(sealed.previousHash())));
    }

    /** What is left of a history when the log begins at an offset. */
    static StreamHistory since(StreamHistory history, long begin) {
        List<HistoricLog.Entry> left = new ArrayList<>();
        TreeMap<Long, dev.stormproof.proof.checkpoint.LogRecord> records = new TreeMap<>();
        history.events.forEach(event -> records.put(event.offset(), event));
        history.checkpoints.forEach(checkpoint -> records.put(checkpoint.offset(), checkpoint));
        records.tailMap(begin).values().forEach(record -> left.add(new HistoricLog.Entry(record, NOTHING, 0, 0)));
        long emitter = records.isEmpty()
                ? -1
                : records.firstEntry().getValue() instanceof Event event
                        ? event.emitter()
                        : ((CheckpointRecord) records.firstEntry().getValue())
                                .checkpoint().stream().emitter();
        return new StreamHistory(history.sent, emitter, left);
    }

    private static final Shipment NOTHING = new Shipment(Shipment.Kind.STRANGE, 0, 0, null, null);

    private boolean isTooFarToBeKnown(CheckpointRecord last, Inconclusive unsealed) {
        return forgetful
                && unsealed.interval().number() < 0
                && last.offset() < unsealed.interval().checkpointOffset() - Format1Truth.NEIGHBOUR;
    }

    /** True if readers saw no checkpoint of the stream for longer than it may owe one, at some time. */
    private boolean isSilent(Inconclusive unsealed, long nowMillis) {
        if (unsealed.detail().startsWith("more than")) {
            return tight;
        }
        if (unsealed.detail().contains("the closing checkpoint")) {
            long tailEmitter = unsealed.interval().stream().emitter();
            return log.branches().stream()
                    .anyMatch(branch -> history(branch, tailEmitter).checkpoints.stream()
                            .anyMatch(record -> record.checkpoint().closing()
                                    && record.offset() <= unsealed.interval().checkpointOffset()));
        }
        boolean expired = log.beginOffset() > unsealed.interval().checkpointOffset();
        if (unsealed.detail().startsWith("the records behind it expired")) {
            return expired;
        }
        if (expired && log.beginOffset() == log.endOffset()) {
            // Whatever followed, nobody can read it.
            return true;
        }
        long emitter = unsealed.interval().stream().emitter();
        SentStream sent = streams.get(emitter);
        long promise = sent == null ? 0 : sent.promiseMillis;
        long counted = Math.min(promise, timeouts.mostPromisedMillis());
        long limit = promise > 0 ? counted + timeouts.graceMillis() : timeouts.withoutPromiseMillis();
        // Where no checkpoint can be read, none promises anything: there is none, or the log has dropped it.
        long least = Math.min(limit, timeouts.withoutPromiseMillis());
        return mayBeSilent(unsealed, nowMillis, limit, least, record -> true)
                // What lies behind a checkpoint of a greater number, a forged one perhaps, or behind another one of its
                // number may be told as a fork: it seals nothing.
                || mayBeSilent(
                        unsealed,
                        nowMillis,
                        limit,
                        least,
                        record -> log.branches().stream()
                                .noneMatch(branch -> history(branch, emitter).isBehindAnother(record)
                                        || history(branch, emitter).isSecond(record)));
    }

    private boolean mayBeSilent(
            Inconclusive unsealed, long nowMillis, long limit, long least, Predicate<CheckpointRecord> counts) {
        long emitter = unsealed.interval().stream().emitter();
        for (Branch branch : log.branches()) {
            boolean cut = branch != log.branches().get(0);
            long last = -1;
            boolean promised = false;
            // A repetition keeps no promise.
            Set<Hash> stated = new HashSet<>();
            boolean closed = false;
            for (HistoricLog.Entry entry : branch.visibleOf(emitter)) {
                boolean seals = entry.record instanceof CheckpointRecord another
                        && counts.test(another)
                        && (emitter == StreamId.NO_EMITTER || stated.add(another.chainHash()));
                if (seals && last >= 0 && entry.visibleAtMillis - last > (promised ? limit : least)) {
                    return true;
                }
                last = seals || last < 0 ? entry.visibleAtMillis : last;
                if (cut && nowMillis - last > (promised ? limit : least)) {
                    // Who had read so far when the log was cut has heard nothing since.
                    return true;
                }
                if (entry.record instanceof CheckpointRecord checkpoint && counts.test(checkpoint)) {
                    // Whoever closed owes nothing, whatever came late or twice behind that.
                    closed |=
                            checkpoint.checkpoint() instanceof dev.stormproof.proof.checkpoint.Format2Checkpoint sealed
                                    && sealed.closing();
                    promised = !closed
                            && checkpoint.offset() >= log.beginOffset()
                            && !isTooFarToBeKnown(checkpoint, unsealed);
                }
            }
            boolean open = forgetful || !hasEnded(branch, emitter);
            if (open && last >= 0 && nowMillis - last > (promised ? limit : least)) {
                return true;
            }
        }
        return false;
    }

    /** True if the emitter closed its stream in order, and nothing of it lies behind that: it owes nothing. */
    private boolean hasEnded(Branch branch, long emitter) {
        StreamHistory history = history(branch, emitter);
        return history.checkpoints.stream()
                .anyMatch(end -> end.checkpoint().closing()
                        && history.isGenuine(end)
                        && history.seals(end)
                        && !history.isBehindAnother(end)
                        && !history.isSecond(end)
                        && history.events.stream().noneMatch(event -> event.offset() > end.offset())
                        && history.checkpoints.stream().noneMatch(other -> other.offset() > end.offset()));
    }
}
