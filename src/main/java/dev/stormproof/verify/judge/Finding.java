package dev.stormproof.verify.judge;

import java.util.stream.Stream;

/**
 * A result of verification: a verdict on an interval, or a note on records that belong to no interval.
 *
 * <p>Each is reported once. Only an open one may be followed by another one of the same {@link #id()}, which replaces it:
 *
 * <pre>
 *   1  open    no checkpoint seals the events yet, of which some may contradict their own headers; or an output stands still
 *   2  final
 * </pre>
 */
public sealed interface Finding permits Verdict, StrayRecord, MissedRecords, Undelivered {
    /** The revision of a finding that another one may follow. */
    int OPEN_REVISION = 1;

    /** The revision that no other replaces. */
    int FINAL_REVISION = 2;

    /** The kinds of findings, each with its name in alerts and metrics. */
    enum Type {
        VERIFIED("verified", Verdict.Verified.class),
        INCONCLUSIVE("inconclusive", Verdict.Inconclusive.class),
        VIOLATED("violated", Verdict.Violated.class),
        UNATTRIBUTED("stray", StrayRecord.class),
        EXPIRED_UNREAD("missed", MissedRecords.class),
        UNDELIVERED("undelivered", Undelivered.class);

        private final String label;
        private final Class<? extends Finding> findings;

        Type(String label, Class<? extends Finding> findings) {
            this.label = label;
            this.findings = findings;
        }

        public String label() {
            return label;
        }
    }

    default Type type() {
        return Stream.of(Type.values())
                .filter(type -> type.findings.isInstance(this))
                .findFirst()
                .orElseThrow();
    }

    PartitionId partition();

    /**
     * The identity of its subject, the same in every revision: topic, partition, emitter and checkpoint number of a verdict,
     * and a hash of the checkpoint if it is not the first one of its number; topic, partition and offsets of other findings.
     */
    String id();

    /** True if another finding on the same subject may follow. */
    default boolean isOpen() {
        return false;
    }

    /** The revision: 1 open, 2 final. */
    default int revision() {
        return isOpen() ? OPEN_REVISION : FINAL_REVISION;
    }

    /**
     * The identity of this revision: {@code orders/0/00000000000a11ce/7@1234/r2}. Two checkpoints may bear one number, a
     * forged one or one that restates another, so that of a verdict that rests on a checkpoint has its offset as well.
     */
    default String revisionId() {
        return revisionId(revision());
    }

    default String revisionId(int revision) {
        return id() + "/r" + revision;
    }

    /** The offset of the record that leads to the finding: a reader that begins after it does not find it again. */
    long anchorOffset();
}
