package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
        return id() + (revision > UNSEALED_REVISION ? "@" + anchorOffset() : "") + "/r" + revision;
    }

    @Override
    default long anchorOffset() {
        return interval().checkpointOffset();
    }

    /** True if a later revision of this verdict may say otherwise. */
    default boolean provisional() {
        return false;
    }

    @Override
    default int revision() {
        return provisional() ? PROVISIONAL_REVISION : FINAL_REVISION;
    }

    /**
     * Every event of the interval lies in the log once, in order and unaltered.
     *
     * @param beginOffset where its first event lies; of an interval without events, where its checkpoint does
     */
    record Verified(IntervalId interval, Basis basis, long beginOffset) implements Verdict, Serializable {
        /** The basis of the proof. */
        public enum Basis {
            /** The interval came over a gap-free chain of offsets, and its root matched. */
            MATCH,
            /** The first sight differed or had gaps; the log, read again, matched. */
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

        /** An interval that is as its checkpoint states, which leaves some sequences uncertain. */
        static Inconclusive uncertain(IntervalId interval, List<SequenceRange> uncertain) {
            return uncertain(interval, uncertain, "");
        }

        /** An interval that lacks what its stream's end leaves in doubt, and is as its checkpoint states but for that. */
        static Inconclusive takenBack(IntervalId interval, Checkpoint end) {
            String why = "its stream's end leaves it in doubt from checkpoint " + end.number() + " on";
            return end.uncertain().isEmpty()
                    ? new Inconclusive(interval, Reason.UNCERTAIN, why)
                    : uncertain(interval, end.uncertain(), why + ": ");
        }

        /** An interval of which some records were too large to be read. */
        static Inconclusive oversized(IntervalId interval, long unread) {
            return new Inconclusive(
                    interval,
                    Reason.OVERSIZED_RECORD,
                    unread + (unread == 1 ? " record in it is" : " records in it are")
                            + " too large to be read, and may be its own");
        }

        private static Inconclusive uncertain(IntervalId interval, List<SequenceRange> uncertain, String why) {
            long count = uncertain.stream().mapToLong(SequenceRange::count).sum();
            String first = uncertain.stream()
                    .limit(10)
                    .map(range -> "[" + range.begin() + ", " + range.end() + ")")
                    .collect(Collectors.joining(", "));
            String more = uncertain.size() > 10 ? ", …" : "";
            return new Inconclusive(
                    interval,
                    Reason.UNCERTAIN,
                    why + "upstream does not know whether " + count + " events arrived: sequences " + first + more,
                    uncertain);
        }

        /** True if the interval's records were not read. */
        public boolean sawNothing() {
            return reason == Reason.EXPIRED || reason == Reason.OUT_OF_REACH;
        }

        /** An unsealed interval may still get its checkpoint, late. */
        @Override
        public boolean provisional() {
            return reason == Reason.UNSEALED;
        }

        @Override
        public int revision() {
            return provisional() ? UNSEALED_REVISION : FINAL_REVISION;
        }

        /** Why nothing can be said. */
        public enum Reason {
            /** The log no longer holds the interval. */
            EXPIRED,
            /** The interval's beginning is unknown: no checkpoint before it. */
            UNANCHORED,
            /** A version or algorithm that this verifier does not know. */
            UNSUPPORTED,
            /** It differs from what its checkpoint states, and holds more than can be compared in memory. */
            TOO_LARGE,
            /** Records that are too large to be read lie in it, and nothing else shows that it is violated. */
            OVERSIZED_RECORD,
            /** It is as its checkpoint states, but for events of which upstream does not know whether they arrived. */
            UNCERTAIN,
            /** It begins further up in the log than is searched for the beginning of one interval. */
            OUT_OF_REACH,
            /** No checkpoint came over the stream's last events within the time that was promised. */
            UNSEALED
        }
    }

    /**
     * The log differs from what upstream stated.
     *
     * @param standing whether a later revision may say otherwise
     * @param minimal false if a smaller set of anomalies might explain the difference
     * @param anomalyCount how many were found
     * @param anomalies in a finding the first {@link #MAX_NAMED} of them
     * @param hop where on the way all of them happened; {@link Hop#SEVERAL} if not all on the same
     */
    record Violated(
            IntervalId interval,
            Standing standing,
            boolean minimal,
            long anomalyCount,
            List<Anomaly> anomalies,
            Hop hop)
            implements Verdict, Serializable {
        /** Whether a later revision of a violation may say otherwise. */
        public enum Standing {
            /** No checkpoint seals the interval yet: its content contradicts its own headers. */
            UNSEALED,
            /** The following interval, which may change a name, was not read yet. */
            PROVISIONAL,
            /** Nothing that follows can change it. */
            FINAL
        }

        /** What may have come of an event that was missing. */
        private static final Set<Anomaly.Kind> LATE =
                EnumSet.of(Anomaly.Kind.REORDERED, Anomaly.Kind.ALTERED, Anomaly.Kind.DIVERTED);

        /** How many anomalies a finding names one by one. */
        public static final int MAX_NAMED = 1_000;

        public Violated {
            anomalies = List.copyOf(anomalies);
        }

        /** The violation of which the named anomalies say where it happened. */
        public Violated(
                IntervalId interval, boolean provisional, boolean minimal, long anomalyCount, List<Anomaly> anomalies) {
            this(
                    interval,
                    provisional ? Standing.PROVISIONAL : Standing.FINAL,
                    minimal,
                    anomalyCount,
                    anomalies,
                    commonHop(anomalies));
        }

        /** The violation by what lies behind a stream's last checkpoint. */
        static Violated unsealed(IntervalId tail, List<Anomaly> found) {
            return new Violated(tail, Standing.UNSEALED, true, found.size(), found, commonHop(found));
        }

        @Override
        public boolean provisional() {
            return standing != Standing.FINAL;
        }

        @Override
        public int revision() {
            return switch (standing) {
                case UNSEALED -> UNSEALED_REVISION;
                case PROVISIONAL -> PROVISIONAL_REVISION;
                case FINAL -> FINAL_REVISION;
            };
        }

        /** The violation by all anomalies that were found. */
        static Violated of(IntervalId interval, List<Anomaly> found, boolean provisional, boolean minimal) {
            return new Violated(interval, provisional, minimal, found.size(), found);
        }

        private static Hop commonHop(List<Anomaly> anomalies) {
            List<Hop> hops =
                    anomalies.stream().map(Anomaly::hop).distinct().limit(2).toList();
            if (hops.isEmpty()) {
                return Hop.LOG;
            }
            return hops.size() == 1 ? hops.get(0) : Hop.SEVERAL;
        }

        /** The same violation, which names so many anomalies from a place in the list on; fewer where the list ends. */
        public Violated naming(int from, int most) {
            int begin = Math.min(from, anomalies.size());
            int end = begin + Math.min(most, anomalies.size() - begin);
            return new Violated(interval, standing, minimal, anomalyCount, anomalies.subList(begin, end), hop);
        }

        /** A finding as it is told: a violation names so many anomalies and no more. */
        public static Finding told(Finding finding) {
            return finding instanceof Violated violated ? violated.naming(0, MAX_NAMED) : finding;
        }

        /** True if it was found to have more anomalies than it names. */
        public boolean isCut() {
            return anomalyCount > anomalies.size();
        }

        /**
         * The same violation, in which what was lost has the names that a later reading found for it: it came late. That reading
         * knows less of everything else, since what lies before the interval has expired meanwhile.
         */
        public Violated withLatecomers(Violated later) {
            if (isCut() || later.isCut()) {
                return this;
            }
            List<Anomaly> named = new ArrayList<>();
            for (Anomaly anomaly : anomalies) {
                long begin = anomaly.begin();
                for (Anomaly late : later.anomalies) {
                    boolean found = anomaly.kind() == Anomaly.Kind.LOST
                            && LATE.contains(late.kind())
                            && begin <= late.begin()
                            && late.end() <= anomaly.end();
                    if (found) {
                        if (begin < late.begin()) {
                            named.add(anomaly.part(begin, late.begin(), anomaly.hop()));
                        }
                        named.add(late);
                        begin = late.end();
                    }
                }
                if (begin < anomaly.end()) {
                    named.add(anomaly.part(begin, anomaly.end(), anomaly.hop()));
                }
            }
            return new Violated(interval, standing, minimal, named.size(), named, commonHop(named));
        }

        /** The same violation, which no later revision replaces. */
        public Violated asFinal() {
            return new Violated(interval, Standing.FINAL, minimal, anomalyCount, anomalies, hop);
        }
    }
}
