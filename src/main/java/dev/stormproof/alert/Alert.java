package dev.stormproof.alert;

import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Missed;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Stray;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;

/**
 * A finding on its way to people and machines.
 *
 * @param source who says it, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was found, in milliseconds since 1970
 * @param finding what was found
 */
public record Alert(String source, long timeMillis, Finding finding) {

    /** What is found, as the CloudEvents type that consumers filter by. */
    public enum Type {
        VERIFIED("dev.stormproof.interval.verified"),
        INCONCLUSIVE("dev.stormproof.interval.inconclusive"),
        VIOLATED("dev.stormproof.interval.violated"),
        STRAY("dev.stormproof.record.stray"),
        MISSED("dev.stormproof.records.missed");

        private final String label;

        Type(String label) {
            this.label = label;
        }

        /** The CloudEvents {@code type}. */
        public String label() {
            return label;
        }
    }

    public Type type() {
        if (finding instanceof Verified) {
            return Type.VERIFIED;
        }
        if (finding instanceof Inconclusive) {
            return Type.INCONCLUSIVE;
        }
        if (finding instanceof Violated) {
            return Type.VIOLATED;
        }
        return finding instanceof Stray ? Type.STRAY : Type.MISSED;
    }

    /**
     * The same for every telling of the same matter, whoever tells it and how often: later revisions replace earlier
     * ones. Made of topic, partition, emitter and checkpoint number; of topic, partition and offset for others.
     */
    public String alertId() {
        if (finding instanceof Stray stray) {
            return stray.topic() + "/" + stray.partition() + "/@" + stray.offset() + "/" + Words.of(stray.kind());
        }
        if (finding instanceof Missed missed) {
            return missed.topic() + "/" + missed.partition() + "/@" + missed.beginOffset() + "-" + missed.endOffset();
        }
        SealedInterval interval = ((Verdict) finding).interval();
        return interval.stream().topic() + "/" + interval.stream().partition() + "/"
                + interval.stream().emitterHex() + "/" + interval.number();
    }

    /** Which telling of the matter this is; a higher one replaces a lower one. */
    public int revision() {
        return finding.revision();
    }

    /**
     * The CloudEvents {@code id}: a revision is an event of its own. Two checkpoints may bear one number, a forged one or
     * one that restates another, so a verdict that rests on a checkpoint also has its offset: {@code
     * orders/0/00000000000a11ce/7@1234/r3}.
     */
    public String eventId() {
        return eventIdOf(revision());
    }

    /** What the event id of another revision of the same matter is. */
    String eventIdOf(int revision) {
        boolean sealed = finding instanceof Verdict && revision > Finding.UNSEALED_REVISION;
        return alertId() + (sealed ? "@" + finding.anchorOffset() : "") + "/r" + revision;
    }

    /** True if an operator should be told: anything but a proof, which is told only if it settles an alarm. */
    public boolean isAlarm() {
        return type() != Type.VERIFIED;
    }
}
