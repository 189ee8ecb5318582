package dev.stormproof.chaos;

import dev.stormproof.alert.Alert;
import dev.stormproof.chaos.RoundLog.Sealed;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * A comparison sets the alerts of a trial against the injected faults and the log.
 *
 * <pre>
 *   injected ──► in the log, in a sealed interval ──► expected ──► named by an alert: reported, else missed
 *   lost, duplicated or altered in the log, injected or not ──────► named by an alert, else missed
 *   alert ──► every event that it names is so in the log ─────────► true, else false
 *   checkpoint ──► has a final verdict, verified or violated ─────► judged, else unjudged
 * </pre>
 *
 * <p>Not every injected fault can be seen: an event whose checkpoint never came, or that its emitter itself calls uncertain
 * because sending failed, is in no statement; one that was to come late or twice and never came at all is lost; one that was
 * to change places with events that never came is in its place. And a checkpoint whose predecessor is nowhere, far after the log's
 * beginning, may be out of reach, or expired if records were deleted there: nothing is demanded of that.
 *
 * @param expected how many injected faults the log shows
 * @param reported how many of these an alert names
 * @param missed the faults that the log shows and no alert names
 * @param falseAlerts the alerts that the log contradicts
 * @param unjudged checkpoints without a final verdict
 * @param publishedTwice alerts that were written again with the same id and revision
 */
public record Comparison(
        int expected,
        int reported,
        List<String> missed,
        List<String> falseAlerts,
        List<String> unjudged,
        List<String> publishedTwice) {
    public static Comparison of(List<InjectedFault> injected, RoundLog log, Published alerts, Published verdicts) {
        Work work = new Work(log);
        alerts.last().forEach(work::take);
        int expected = 0;
        int reported = 0;
        for (InjectedFault fault : injected) {
            List<String> names = work.namesOf(fault);
            if (!names.isEmpty()) {
                expected++;
                if (names.stream().anyMatch(work.named::contains)) {
                    reported++;
                } else {
                    work.missed.add(fault + " as one of " + names);
                }
            }
        }
        work.compareWithTheLog();
        return new Comparison(
                expected,
                reported,
                work.missed,
                work.falseAlerts,
                unjudged(log, verdicts),
                List.copyOf(alerts.repeated()));
    }

    public boolean isExact() {
        return missed.isEmpty() && falseAlerts.isEmpty() && unjudged.isEmpty() && publishedTwice.isEmpty();
    }

    /** The complaints, one line each. */
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        falseAlerts.forEach(one -> complaints.add("FALSE " + one));
        unjudged.forEach(one -> complaints.add("UNJUDGED " + one));
        publishedTwice.forEach(one -> complaints.add("PUBLISHED TWICE " + one));
        missed.forEach(one -> complaints.add("MISSED " + one));
        return complaints;
    }

    /** The checkpoints without a final verdict. */
    public static List<String> unjudged(RoundLog log, Published verdicts) {
        Map<Sealed, Finding> judged = new HashMap<>();
        for (Alert verdict : verdicts.last()) {
            if (verdict.finding() instanceof Verdict last && last.revision() == Finding.FINAL_REVISION) {
                judged.put(
                        new Sealed(
                                last.interval().stream(),
                                last.interval().number(),
                                last.interval().checkpointOffset()),
                        last);
            }
        }
        List<String> unjudged = new ArrayList<>();
        for (Sealed checkpoint : log.checkpoints()) {
            Finding last = judged.get(checkpoint);
            if (last == null
                    || (last instanceof Inconclusive open
                            && open.reason() != Inconclusive.Reason.UNCERTAIN
                            && !isOutOfReach(log, open))) {
                unjudged.add(checkpoint + ": " + last);
            }
        }
        return unjudged;
    }

    /**
     * True if the predecessor of an interval lies nowhere in the log, or may have lain where records were deleted. That of an end which takes the place of its stream's first checkpoint is that one. Of what was
     * deleted nothing is known here, so that the emitter itself has to leave all of the interval in doubt.
     */
    private static boolean isOutOfReach(RoundLog log, Inconclusive open) {
        IntervalId interval = open.interval();
        StreamLog stream = log.of(interval.stream());
        boolean reached = switch (open.reason()) {
            case UNANCHORED -> false;
            case EXPIRED ->
                !LongStream.range(interval.firstSequence(), interval.firstSequence() + interval.eventCount())
                        .allMatch(stream::isUncertain);
            default -> true;
        };
        return !reached && !stream.hasSealing(Math.max(0, interval.number() - 1));
    }

    /** The comparison as it is made. */
    private static final class Work {
        private final RoundLog log;
        private final Set<String> named = new HashSet<>();
        private final List<String> missed = new ArrayList<>();
        private final List<String> falseAlerts = new ArrayList<>();
        private final Map<StreamId, Set<Long>> outOfOrder = new HashMap<>();
        private final Set<String> toldAgain = new HashSet<>();
        private final Set<IntervalId> outOfReach = new LinkedHashSet<>();

        Work(RoundLog log) {
            this.log = log;
        }

        void take(Alert alert) {
            Finding finding = alert.finding();
            if (finding instanceof Violated violated) {
                violated.anomalies().forEach(anomaly -> take(alert, anomaly));
                if (violated.anomalies().isEmpty()) {
                    falseAlerts.add(alert.finding().revisionId() + ": violated by nothing");
                }
            } else if (finding instanceof Inconclusive open && open.reason() == Inconclusive.Reason.UNSEALED) {
                if (log.of(open.interval().stream()).isClosed()) {
                    falseAlerts.add(alert.finding().revisionId() + ": " + open);
                }
            } else if (finding instanceof StrayRecord again
                    && again.kind() == UnattributedRecord.Kind.REPEATED_CHECKPOINT) {
                takeRepetitions(alert, again);
            } else if (finding instanceof Inconclusive open && isOutOfReach(log, open)) {
                outOfReach.add(open.interval());
            } else if (!isOfUncertainEvents(finding)
                    && (finding instanceof Inconclusive
                            || finding instanceof StrayRecord
                            || finding instanceof MissedRecords)) {
                falseAlerts.add(alert.finding().revisionId() + ": " + finding);
            }
        }

        private void takeRepetitions(Alert alert, StrayRecord again) {
            Set<Long> written = new TreeSet<>(log.repetitions().getOrDefault(again.partition(), Set.of()));
            written.removeIf(offset -> offset < again.offset() || offset > again.lastOffset());
            written.forEach(offset -> toldAgain.add(again.partition() + " @" + offset));
            if (written.size() != again.count()) {
                falseAlerts.add(alert.finding().revisionId() + ": " + again + ", written again at " + written);
            }
        }

        private boolean isOfUncertainEvents(Finding finding) {
            return finding instanceof Inconclusive unsure
                    && unsure.reason() == Inconclusive.Reason.UNCERTAIN
                    && unsure.uncertain().stream()
                            .flatMapToLong(range -> LongStream.range(range.begin(), range.end()))
                            .allMatch(log.of(unsure.interval().stream())::isUncertain);
        }

        private void take(Alert alert, Anomaly anomaly) {
            for (long sequence = anomaly.begin(); sequence < anomaly.end(); sequence++) {
                named.add(name(anomaly.kind(), anomaly.stream(), sequence));
                if (!isSo(anomaly, sequence)) {
                    falseAlerts.add(alert.finding().revisionId() + ": " + anomaly);
                }
            }
        }

        private boolean isSo(Anomaly anomaly, long sequence) {
            StreamLog stream = log.of(anomaly.stream());
            return switch (anomaly.kind()) {
                case LOST -> stream.isLost(sequence);
                case DUPLICATED -> stream.copies(sequence) > 1;
                case ALTERED -> stream.isAltered(sequence);
                case REORDERED -> outOfOrder(anomaly.stream()).contains(sequence);
                case OUT_OF_REACH -> stream.copies(sequence) > 0;
                case FOREIGN ->
                    stream.copies(sequence) > 0 && !stream.isStated(sequence) && !stream.isUncertain(sequence);
                case CHECKPOINT_LOST -> !stream.hasCheckpoint(sequence);
                case UNLOCATED, CHAIN_BROKEN, DIVERTED -> false;
            };
        }

        private Set<Long> outOfOrder(StreamId stream) {
            return outOfOrder.computeIfAbsent(stream, first -> log.of(stream).outOfOrder());
        }

        /** How an alert may name the fault; nothing if the log does not show it. */
        List<String> namesOf(InjectedFault fault) {
            StreamId id = new StreamId(fault.topic(), fault.partition(), fault.emitter());
            StreamLog stream = log.of(id);
            long sequence = fault.sequence();
            if (isUnknown(id, sequence)) {
                return List.of();
            }
            if (stream.isLost(sequence)) {
                return List.of(name(Anomaly.Kind.LOST, id, sequence));
            }
            if (!stream.isStated(sequence)) {
                return List.of();
            }
            return switch (fault.kind()) {
                case LOSE -> List.of();
                case DUPLICATE ->
                    stream.copies(sequence) > 1 ? List.of(name(Anomaly.Kind.DUPLICATED, id, sequence)) : List.of();
                case ALTER ->
                    stream.isAltered(sequence) ? List.of(name(Anomaly.Kind.ALTERED, id, sequence)) : List.of();
                case SWAP, MOVE -> reordered(id, sequence, stream);
            };
        }

        /** Of two events that changed places the log does not show which one left its own: either will do. */
        private static List<String> reordered(StreamId id, long sequence, StreamLog stream) {
            Set<Long> passed = stream.passedBy(sequence);
            List<String> names = new ArrayList<>();
            if (!passed.isEmpty() || stream.isBeyondItsCheckpoint(sequence)) {
                names.add(name(Anomaly.Kind.REORDERED, id, sequence));
            }
            if (passed.size() == 1) {
                passed.forEach(other -> names.add(name(Anomaly.Kind.REORDERED, id, other)));
            }
            return names;
        }

        /** Every fault that the log shows has to be named, injected or not. */
        void compareWithTheLog() {
            log.streams().forEach((id, stream) -> {
                demand(Anomaly.Kind.LOST, id, stream.lost());
                demand(Anomaly.Kind.DUPLICATED, id, stream.duplicated());
                demand(Anomaly.Kind.ALTERED, id, stream.altered());
            });
            log.repetitions()
                    .forEach((partition, offsets) -> offsets.stream()
                            .map(offset -> partition + " @" + offset)
                            .filter(place -> !toldAgain.contains(place))
                            .forEach(place -> missed.add("checkpoint written again, " + place)));
        }

        private void demand(Anomaly.Kind kind, StreamId stream, List<Long> sequences) {
            for (long sequence : sequences) {
                String name = name(kind, stream, sequence);
                if (!isUnknown(stream, sequence) && !named.contains(name)) {
                    missed.add(name);
                }
            }
        }

        private boolean isUnknown(StreamId stream, long sequence) {
            return outOfReach.stream()
                    .anyMatch(interval -> interval.stream().equals(stream)
                            && sequence < log.of(stream).endOf(interval.number()));
        }

        private static String name(Anomaly.Kind kind, StreamId stream, long sequence) {
            return kind + " " + stream + " " + sequence;
        }
    }
}
