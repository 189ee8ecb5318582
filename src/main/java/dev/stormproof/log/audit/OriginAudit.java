package dev.stormproof.log.audit;

import dev.stormproof.verify.fold.LogQuery.OfRecords;
import dev.stormproof.verify.judge.Evidence;

/** Adds to the evidence on what is violated what the log of its topic's origin holds of it. */
public interface OriginAudit {
    /** The audit that adds nothing: there is no origin, or its log is not to be read. */
    OriginAudit NONE = (task, evidence) -> evidence;

    Evidence added(OfRecords task, Evidence evidence);
}
