package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogQuery.OfRecords;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.HashMap;
import java.util.Map;
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
final class AnomalyPages {
    private final Auditor auditor;
    private final OriginAudit origin;
    private final Consumer<Violated> pages;
    private final Map<String, OfRecords> tasks = new HashMap<>();
    private @Nullable LogQuery answered;

    /** @param pages takes the violation with the anomalies of one page */
    AnomalyPages(Auditor auditor, OriginAudit origin, Consumer<Violated> pages) {
        this.auditor = auditor;
        this.origin = origin;
        this.pages = pages;
    }

    /** Notes the query whose findings come next. */
    void answered(LogQuery task) {
        answered = task;
    }

    /** Notes a finding that names the first of its anomalies, and hands over the others once it is final. */
    void found(Finding finding, boolean last) {
        if (!(finding instanceof Violated violated) || !violated.isCut()) {
            return;
        }
        String id = violated.revisionId(Finding.FINAL_REVISION);
        if (answered instanceof OfRecords records && records.interval().equals(violated.interval())) {
            tasks.put(id, records);
        }
        OfRecords task = last ? tasks.remove(id) : null;
        if (task != null) {
            handOver(violated, task);
        }
    }

    private void handOver(Violated named, OfRecords task) {
        try {
            task.judge(origin.added(task, auditor.audit(task)))
                    .filter(Violated.class::isInstance)
                    .map(Violated.class::cast)
                    .filter(whole -> whole.anomalyCount() == named.anomalyCount())
                    .ifPresent(whole -> handOver(named, whole));
        } catch (ExpiredRangeException e) {
            auditor.forget();
        }
    }

    private void handOver(Violated named, Violated whole) {
        for (int from = named.anomalies().size(); from < whole.anomalyCount(); from += Violated.MAX_NAMED) {
            Violated page = whole.naming(from, Violated.MAX_NAMED);
            pages.accept(named.provisional() ? page : page.asFinal());
        }
    }
}
