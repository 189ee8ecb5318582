package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.Anomaly.Kind;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Verified.Basis;
import dev.stormproof.verify.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides on intervals: trusts a match, double-checks a mismatch.
 *
 * <p>A match at first sight counts only for an interval that was seen whole; everything else is judged by what the log
 * holds, read again. The log is the authority: what differs in transport only is Verified.
 */
public final class Judge {
    private Judge() {}

    /** The verdict at first sight; empty if the log must be read again. */
    static Optional<Verdict> atFirstSight(Observation observation) {
        boolean whole = observation.sight() == Observation.Sight.CLEAN && observation.chained();
        if (!whole || observation.count() != observation.record().checkpoint().eventCount()) {
            return Optional.empty();
        }
        Checkpoint checkpoint = observation.record().checkpoint();
        boolean match = checkpoint instanceof Format2Checkpoint sealed
                ? sealed.uncertain().isEmpty() && sealed.root().equals(observation.root())
                : rootOf(((Format1Checkpoint) checkpoint).leaves()).equals(observation.root());
        return match ? Optional.of(new Verified(observation.interval(), Basis.MATCH)) : Optional.empty();
    }

    /**
     * The verdict on what the log holds.
     *
     * @param last true if nothing that may follow could change it
     */
    static Verdict byTheLog(SealedInterval interval, CheckpointRecord record, Evidence evidence, boolean last) {
        return record.checkpoint() instanceof Format2Checkpoint sealed
                ? new SequencedCase(interval, sealed, record.offset(), evidence).judge(last)
                : new PlainCase(interval, (Format1Checkpoint) record.checkpoint(), record.offset(), evidence)
                        .judge(last);
    }

    /** The root over both sides of a comparison of format 1, whose own root proves nothing. */
    private static Hash rootOf(Leaves leaves) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (int i = 0; i < leaves.count(); i++) {
            interval.add(i, leaves.signature(i));
        }
        return interval.root();
    }

    static Verdict violated(SealedInterval interval, List<Anomaly> anomalies, boolean provisional, boolean minimal) {
        List<Anomaly> named =
                anomalies.size() > Violated.MAX_NAMED ? anomalies.subList(0, Violated.MAX_NAMED) : anomalies;
        return new Violated(interval, provisional, minimal, anomalies.size(), named);
    }

    /** One interval of format 2 before the judge. */
    private record SequencedCase(SealedInterval interval, Format2Checkpoint sealed, long offset, Evidence evidence) {

        Verdict judge(boolean last) {
            Optional<Format2Checkpoint> previous =
                    evidence.lastBefore(offset).map(record -> (Format2Checkpoint) record.checkpoint());
            List<Anomaly> anomalies = new ArrayList<>();
            evidence.lastBefore(offset)
                    .ifPresentOrElse(record -> nameChain(record, anomalies), () -> nameNoChain(anomalies));
            long begin = previous.map(Format2Checkpoint::nextSequence)
                    .filter(next -> next < sealed.firstSequence())
                    .orElse(sealed.firstSequence());
            SequenceNaming naming = naming(begin);
            List<Anomaly> events = naming.name();
            boolean beheaded = previous.isEmpty() && evidence.beginsLate() && dropExpired(events);
            anomalies.addAll(events);
            if (anomalies.isEmpty() && !beheaded && !naming.unchecked() && !matches(naming.window())) {
                anomalies.add(unlocated());
            }
            if (!anomalies.isEmpty()) {
                return violated(interval, anomalies, naming.open() && !last, true);
            }
            if (beheaded) {
                return new Inconclusive(interval, Reason.EXPIRED, "the log begins inside of the interval");
            }
            if (naming.unchecked()) {
                return new Inconclusive(
                        interval, Reason.UNSUPPORTED, "signature algorithm " + sealed.signatureAlgorithm());
            }
            return new Verified(interval, Basis.LOG);
        }

        private SequenceNaming naming(long begin) {
            long windowBegin =
                    evidence.lastBefore(offset).map(CheckpointRecord::offset).orElse(evidence.beginOffset() - 1);
            long readBegin = evidence.beginOffset() == 0
                    ? 0
                    : evidence.lastBefore(evidence.beginOffset() + 1)
                            .map(record -> ((Format2Checkpoint) record.checkpoint()).nextSequence())
                            .orElse(begin);
            long readEnd = evidence.firstAfter(offset)
                    .map(record -> ((Format2Checkpoint) record.checkpoint()).nextSequence())
                    .orElse(sealed.nextSequence());
            return new SequenceNaming(sealed, evidence, begin, windowBegin, offset, readBegin, readEnd);
        }

        private void nameChain(CheckpointRecord record, List<Anomaly> anomalies) {
            Format2Checkpoint previous = (Format2Checkpoint) record.checkpoint();
            if (previous.number() + 1 < sealed.number()) {
                anomalies.add(aboutCheckpoints(Kind.CHECKPOINT_LOST, previous.number() + 1, sealed.number()));
            } else if (!sealed.previousHash().equals(record.chainHash())
                    || previous.nextSequence() != sealed.firstSequence()) {
                anomalies.add(aboutCheckpoints(Kind.CHAIN_BROKEN, sealed.number(), sealed.number() + 1));
            }
        }

        private void nameNoChain(List<Anomaly> anomalies) {
            if (sealed.number() == 0) {
                if (sealed.previousHash().sizeBytes() > 0 || sealed.firstSequence() > 0) {
                    anomalies.add(aboutCheckpoints(Kind.CHAIN_BROKEN, 0, 1));
                }
            } else if (!evidence.beginsLate()) {
                anomalies.add(aboutCheckpoints(Kind.CHECKPOINT_LOST, 0, sealed.number()));
            }
        }

        private Anomaly aboutCheckpoints(Kind kind, long begin, long end) {
            return new Anomaly(kind, sealed.stream(), begin, end, offset, 0, sealed.previousHash(), Hash.empty());
        }

        /** What is missing at the head of an interval whose beginning the log no longer holds is not lost. */
        private boolean dropExpired(List<Anomaly> anomalies) {
            return anomalies.removeIf(
                    anomaly -> anomaly.kind() == Kind.LOST && anomaly.begin() == sealed.firstSequence());
        }

        private boolean matches(List<Event> window) {
            Interval rebuilt = new Interval(sealed.treeHash(), sealed.firstSequence(), false);
            for (Event event : window) {
                if (event.sequence() >= sealed.firstSequence() && !uncertain(event.sequence())) {
                    rebuilt.add(event.sequence(), event.observed());
                }
            }
            return rebuilt.count() == sealed.eventCount() && rebuilt.root().equals(sealed.root());
        }

        private boolean uncertain(long sequence) {
            for (SequenceRange range : sealed.uncertain()) {
                if (range.contains(sequence)) {
                    return true;
                }
            }
            return false;
        }

        private Anomaly unlocated() {
            StreamId stream = sealed.stream();
            return new Anomaly(
                    Kind.UNLOCATED,
                    stream,
                    sealed.firstSequence(),
                    sealed.nextSequence(),
                    offset,
                    0,
                    sealed.root(),
                    Hash.empty());
        }
    }
}
