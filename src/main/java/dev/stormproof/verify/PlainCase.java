package dev.stormproof.verify;

import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.verify.Anomaly.Kind;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Verified.Basis;
import java.util.List;

/** One interval of format 1 before the judge: no sequences, so its leaves are compared with the events'. */
record PlainCase(SealedInterval interval, Format1Checkpoint sealed, long offset, Evidence evidence) {

    Verdict judge(boolean last) {
        long begin = evidence.lastBefore(offset).map(record -> record.offset()).orElse(-1L);
        Leaves.Builder observed = Leaves.builder();
        for (Event event : evidence.events()) {
            if (begin < event.offset() && event.offset() < offset) {
                observed.append(event.observed());
            }
        }
        if (observed.build().equals(sealed.leaves())) {
            return new Verified(interval, Basis.LOG);
        }
        if (begin < 0 && evidence.beginOffset() > 0) {
            return new Inconclusive(interval, Reason.UNANCHORED, "no checkpoint before it in the log");
        }
        Anomaly somewhere = new Anomaly(
                Kind.UNLOCATED, sealed.stream(), 0, sealed.eventCount(), offset, 0, sealed.root(), Hash.empty());
        return Judge.violated(interval, List.of(somewhere), !last, false);
    }
}
