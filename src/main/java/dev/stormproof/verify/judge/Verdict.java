package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/** A judgement on an interval: proven, violated, or neither, with the reason. */
public sealed interface Verdict extends Finding {
    IntervalId interval();

    @Override
    default PartitionId partition() {
        StreamId stream = interval().stream();
        return new PartitionId(stream.topic(), stream.partition());
    }

    @Override
    default String id() {
        StreamId stream = interval().stream();
        Hash statement = interval().statement();
        long number = interval().number();
        // Of open ends of no known number each is a subject of its own.
        boolean unnumbered = number < 0;
        return stream.topic() + "/" + stream.partition() + "/" + stream.emitterHex() + "/"
                + number
                + (unnumbered ? "@" + interval().checkpointOffset() : "")
                + (statement.sizeBytes() == 0 ? "" : "~" + statement.toHex());
    }

    @Override
    default String revisionId(int revision) {
        return id() + (revision > OPEN_REVISION ? "@" + anchorOffset() : "") + "/r" + revision;
    }

    @Override
    default long anchorOffset() {
        return interval().checkpointOffset();
    }

    /**
     * Every event of the interval is in the log once, in order, with key and value unaltered.
     *
     * @param beginOffset the offset of its first event; without events, that of its checkpoint
     */
    record Verified(IntervalId interval, Basis basis, long beginOffset) implements Verdict, Serializable {
        public enum Basis {
            /** The interval was delivered without a gap in its offsets, and its root matched. */
            MATCH,
            /** The deliveries differed or had gaps; the log matched. */
            LOG
        }
    }

    /**
     * Neither proven nor violated.
     *
     * @param uncertain the sequences of which upstream does not know whether they arrived; none with other reasons
     */
    record Inconclusive(IntervalId interval, Reason reason, String detail, List<SequenceRange> uncertain)
            implements Verdict, Serializable {
        public Inconclusive {
            uncertain = List.copyOf(uncertain);
        }

        public Inconclusive(IntervalId interval, Reason reason, String detail) {
            this(interval, reason, detail, List.of());
        }

        /** An interval that matches its checkpoint, which calls some sequences uncertain. */
        static Inconclusive uncertain(IntervalId interval, List<SequenceRange> uncertain) {
            return uncertain(interval, uncertain, "");
        }

        /**
         * An interval that matches its checkpoint, except for missing events that its stream's end leaves in doubt.
         *
         * @param missing their sequences; none if only checkpoints are missing
         */
        static Inconclusive takenBack(IntervalId interval, Checkpoint end, List<SequenceRange> missing) {
            String why = "its stream's end leaves it in doubt from checkpoint " + end.number() + " on";
            return missing.isEmpty()
                    ? new Inconclusive(interval, Reason.UNCERTAIN, why)
                    : uncertain(interval, missing, why + ": ");
        }

        static Inconclusive oversized(IntervalId interval, long unread) {
            return new Inconclusive(
                    interval,
                    Reason.OVERSIZED_RECORD,
                    unread + (unread == 1 ? " record in it is" : " records in it are")
                            + " too large to be read, and may be its own");
        }

        /** An interval that matches its checkpoint, and has events that its brokers refused, as the checkpoint says. */
        static Inconclusive refused(IntervalId interval, List<SequenceRange> refused) {
            String why = "the log holds events that brokers refused, as upstream says: sequences " + first(refused);
            return new Inconclusive(interval, Reason.UNCERTAIN, why, refused);
        }

        private static Inconclusive uncertain(IntervalId interval, List<SequenceRange> uncertain, String why) {
            long count = uncertain.stream().mapToLong(SequenceRange::count).sum();
            String what = count == 1 ? " event arrived: sequence " : " events arrived: sequences ";
            return new Inconclusive(
                    interval,
                    Reason.UNCERTAIN,
                    why + "upstream does not know whether " + count + what + first(uncertain),
                    uncertain);
        }

        private static String first(List<SequenceRange> ranges) {
            return ranges.stream()
                    .limit(10)
                    .map(range -> "[" + range.begin() + ", " + range.end() + ")")
                    .collect(Collectors.joining(", ", "", ranges.size() > 10 ? ", …" : ""));
        }

        /** An unsealed interval may still get its checkpoint, late. */
        @Override
        public boolean isOpen() {
            return reason == Reason.UNSEALED;
        }

        /** Why the interval is neither proven nor violated. */
        public enum Reason {
            /** The log no longer holds the interval. */
            EXPIRED,
            /** The interval's beginning is unknown: there is no checkpoint before it. */
            UNANCHORED,
            /** Its version or algorithm is unknown to this verifier. */
            UNSUPPORTED,
            /** It differs from its checkpoint, and is too large to be compared in memory. */
            TOO_LARGE,
            /** It holds records too large to be read, and nothing else shows a violation. */
            OVERSIZED_RECORD,
            /** It matches its checkpoint, except for events of which upstream does not know whether they arrived. */
            UNCERTAIN,
            /** No checkpoint sealed the stream's last events within the promised time. */
            UNSEALED
        }
    }

    /**
     * The log differs from upstream's statement.
     *
     * @param isOpen true if no checkpoint seals the interval yet, whose events contradict their own headers
     * @param minimal false if a smaller set of anomalies might explain the difference
     * @param anomalyCount how many were found
     * @param anomalies in a finding the first {@link #MAX_NAMED} of them
     * @param hop the hop on which all of them came about; {@link Hop#SEVERAL} if they differ
     */
    record Violated(
            IntervalId interval, boolean isOpen, boolean minimal, long anomalyCount, List<Anomaly> anomalies, Hop hop)
            implements Verdict, Serializable {
        /** How many anomalies a finding lists. */
        public static final int MAX_NAMED = 1_000;

        public Violated {
            anomalies = List.copyOf(anomalies);
        }

        /** The violation of a sealed interval, on the hop of its anomalies. */
        public Violated(IntervalId interval, boolean minimal, long anomalyCount, List<Anomaly> anomalies) {
            this(interval, false, minimal, anomalyCount, anomalies, commonHop(anomalies));
        }

        /** The violation by events after a stream's last checkpoint. */
        static Violated unsealed(IntervalId tail, List<Anomaly> found) {
            return new Violated(tail, true, true, found.size(), found, commonHop(found));
        }

        static Violated of(IntervalId interval, List<Anomaly> found, boolean minimal) {
            return new Violated(interval, minimal, found.size(), found);
        }

        private static Hop commonHop(List<Anomaly> anomalies) {
            List<Hop> hops =
                    anomalies.stream().map(Anomaly::hop).distinct().limit(2).toList();
            if (hops.isEmpty()) {
                return Hop.LOG;
            }
            return hops.size() == 1 ? hops.get(0) : Hop.SEVERAL;
        }

        /** The same violation with at most {@code most} anomalies from a place in the list on. */
        public Violated naming(int from, int most) {
            int begin = Math.min(from, anomalies.size());
            int end = begin + Math.min(most, anomalies.size() - begin);
            return new Violated(interval, isOpen, minimal, anomalyCount, anomalies.subList(begin, end), hop);
        }

        /** The finding as it is reported: a violation lists at most {@link #MAX_NAMED} anomalies. */
        public static Finding reported(Finding finding) {
            return finding instanceof Violated violated ? violated.naming(0, MAX_NAMED) : finding;
        }

        /** True if it has more anomalies than it lists. */
        public boolean isCut() {
            return anomalyCount > anomalies.size();
        }
    }
}
