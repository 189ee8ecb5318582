package dev.stormproof.verify.judge;

import java.util.stream.Stream;

/**
 * A result of verification: a verdict on an interval, or a note on records that belong to no interval.
 *
 * <p>Findings with the same {@link #id()} are revisions of one subject; a higher {@link #revision()} replaces a lower one,
 * and no revision is published twice:
 *
 * <pre>
 *   1  unsealed      no checkpoint seals the events yet; what contradicts its own header is violated already
 *   2  provisional   the next interval was not read yet
 *   3  final
 * </pre>
 */
public sealed interface Finding permits Verdict, StrayRecord, MissedRecords, Undelivered {
    /** The revision of a finding on an interval that no checkpoint seals. */
    int UNSEALED_REVISION = 1;

    /** The revision of a finding on an interval whose successor was not read yet. */
    int PROVISIONAL_REVISION = 2;

    /** The revision that no other replaces. */
    int FINAL_REVISION = 3;

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

    /** The revision: 1 unsealed, 2 provisional, 3 final. */
    default int revision() {
        return FINAL_REVISION;
    }

    /**
     * The identity of this revision: {@code orders/0/00000000000a11ce/7@1234/r3}. Two checkpoints may bear one number, a
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
