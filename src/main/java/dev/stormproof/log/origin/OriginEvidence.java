package dev.stormproof.log.origin;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;

/**
 * The judgement on an interval in the log of its topic's origin, and on those before it whose checkpoints the topic has not.
 *
 * <pre>
 *   origin   … ──A── e e e ──B── e e e ──C──►      judged: B and C, from the end of A on
 *   topic    … ──A── e e e       e   e ──C──►      the interval of C, which accounts for what B sealed
 * </pre>
 *
 * @param fromNumber the first checkpoint number that is accounted for
 * @param fromSequence the first sequence that is accounted for
 * @param intervals the judgements; empty if the log could not be read, or does not hold the interval
 */
record OriginEvidence(long fromNumber, long fromSequence, List<Judged> intervals) {
    /** The origin's log could not be read, or does not hold the interval. */
    static final OriginEvidence UNREAD = new OriginEvidence(Long.MAX_VALUE, Long.MAX_VALUE, List.of());

    OriginEvidence {
        intervals = List.copyOf(intervals);
    }

    /**
     * The judgement on one interval there.
     *
     * @param begin its first sequence
     * @param end the one after its last
     * @param finding the finding; empty if the records after a closing checkpoint are faultless
     * @param events the stream's events in the interval and around it
     */
    record Judged(long begin, long end, Optional<Finding> finding, List<Event> events) {
        Judged {
            events = List.copyOf(events);
        }

        /** The differences from the checkpoint. */
        List<Anomaly> anomalies() {
            return finding.map(found -> found instanceof Violated violated ? violated.anomalies() : List.<Anomaly>of())
                    .orElse(List.of());
        }

        /** True if all differences from the checkpoint are known. */
        boolean isDecided() {
            return finding.isEmpty()
                    || finding.get() instanceof Verdict.Verified
                    || finding.get() instanceof Violated
                    || (finding.get() instanceof Inconclusive inconclusive
                            && inconclusive.reason() == Inconclusive.Reason.UNCERTAIN);
        }
    }
}
