package dev.stormproof.log;

import dev.stormproof.judge.Evidence;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfTail;

/** Adds to the evidence on violated intervals what the log of their topic's origin holds of them. For one job. */
public interface OriginAudit {
    /** The audit that adds nothing: there is no origin, or its log is not to be read. */
    OriginAudit NONE = new OriginAudit() {
        @Override
        public Evidence added(OfInterval task, Evidence evidence) {
            return evidence;
        }

        @Override
        public Evidence added(OfTail task, Evidence evidence) {
            return evidence;
        }
    };

    Evidence added(OfInterval task, Evidence evidence);

    Evidence added(OfTail task, Evidence evidence);
}
