package dev.stormproof.log;

import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfTail;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The anomalies of an audit's verdicts that the verdicts do not name, page by page.
 *
 * <pre>
 *   verdict   its task is kept while it is provisional
 *   final ──► the log is read once more by that task ──► anomalies 1,000 to 1,999, 2,000 to 2,999, …
 * </pre>
 *
 * <p>So the anomalies of one interval are in memory at a time. If records expired meanwhile, so that the log says something
 * else, there are none.
 */
final class FurtherAnomalies {
    private final Auditor auditor;
    private final OriginAudit origin;
    private final Consumer<Violated> pages;
    private final Map<String, AuditTask> tasks = new HashMap<>();
    private @Nullable AuditTask answered;

    /** @param pages takes the violation with the anomalies of one page */
    FurtherAnomalies(Auditor auditor, OriginAudit origin, Consumer<Violated> pages) {
        this.auditor = auditor;
        this.origin = origin;
        this.pages = pages;
    }

    /** Notes the task that the next findings come from. */
    void answered(AuditTask task) {
        answered = task;
    }

    /** Notes a finding that names the first of its anomalies, and hands over the others once it is final. */
    void found(Finding finding, boolean last) {
        if (!(finding instanceof Violated violated) || !violated.isCut()) {
            return;
        }
        String id = violated.revisionId(Finding.FINAL_REVISION);
        if (answered != null && isAbout(answered, violated.interval())) {
            tasks.put(id, answered);
        }
        AuditTask task = last ? tasks.remove(id) : null;
        if (task != null) {
            handOver(violated, task);
        }
    }

    private static boolean isAbout(AuditTask task, SealedInterval interval) {
        return task instanceof OfInterval ofInterval
                ? ofInterval.interval().equals(interval)
                : task instanceof OfTail ofTail && ofTail.tail().equals(interval);
    }

    private void handOver(Violated named, AuditTask task) {
        Optional<Violated> whole = whole(task).filter(found -> found.anomalyCount() == named.anomalyCount());
        int from = named.anomalies().size();
        while (whole.isPresent() && from < named.anomalyCount()) {
            Violated page = whole.get().naming(from, Violated.MAX_NAMED);
            pages.accept(named.provisional() ? page : page.asFinal());
            from += page.anomalies().size();
        }
    }

    private Optional<Violated> whole(AuditTask task) {
        try {
            if (task instanceof OfInterval ofInterval) {
                Evidence evidence = origin.added(ofInterval, auditor.audit(ofInterval));
                return Judge.wholeByTheLog(ofInterval.interval(), ofInterval.chainHash(), ofInterval.last(), evidence)
                        .filter(Violated.class::isInstance)
                        .map(Violated.class::cast);
            }
            OfTail tail = (OfTail) task;
            Evidence evidence = origin.added(tail, auditor.audit(tail));
            return Judge.wholeOfTail(tail.tail(), tail.lastOffset(), evidence);
        } catch (ExpiredRangeException e) {
            return Optional.empty();
        }
    }
}
