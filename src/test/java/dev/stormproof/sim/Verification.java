package dev.stormproof.sim;

import dev.stormproof.audit.AuditJob;
import dev.stormproof.audit.Auditor;
import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.feed.Link;
import dev.stormproof.judge.Finding;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.PartitionVerifier;
import dev.stormproof.verify.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** A verifier over a log in memory, audits carried out at once. */
public final class Verification {
    private final SimulatedLog log;
    private final String topic;
    private final int partition;
    private PartitionVerifier verifier;
    private final List<Finding> findings = new ArrayList<>();
    private long previous = -1;

    public Verification(SimulatedLog log, String topic, int partition) {
        this.log = log;
        this.topic = topic;
        this.partition = partition;
    }

    /** Reads everything that the log holds now. */
    public List<Finding> readAll() {
        return read(log.beginOffset(), log.endOffset(), offset -> false);
    }

    /** Reads [begin, end) as a newly started spout does; records that {@code dropped} names are lost on the way. */
    public List<Finding> read(long begin, long end, LongPredicate dropped) {
        if (verifier == null) {
            verifier = new PartitionVerifier(topic, partition, begin, Patience.DEFAULT);
        }
        boolean start = true;
        for (SimulatedLog.Entry entry : log.entries(begin, end)) {
            long offset = entry.record().offset();
            Link link = new Link(offset, start ? offset - 1 : previous, entry.leaderEpoch());
            start = false;
            previous = offset;
            if (!dropped.test(offset)) {
                verifier.take(link, entry.record());
                audit();
            }
        }
        findings.addAll(verifier.drainFindings());
        return List.copyOf(findings);
    }

    public PartitionVerifier verifier() {
        return verifier;
    }

    private void audit() {
        Auditor auditor = new Auditor(log);
        for (Optional<AuditTask> task = verifier.nextAudit(); task.isPresent(); task = verifier.nextAudit()) {
            try {
                AuditJob.answer(auditor, log, task.get()).accept(verifier);
            } catch (ExpiredRangeException e) {
                throw new AssertionError("nothing expires during an audit here", e);
            }
        }
    }
}
