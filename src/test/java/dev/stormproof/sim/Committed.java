package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Kafka keeps of the verification of one partition: alerts, output and progress, committed together. */
final class Committed {
    /** Every alert, in the order of its commit. */
    final List<Alert> alerts = new ArrayList<>();
    /** Every finding that was drained before a commit, also those that were published before. */
    final List<Finding> findings = new ArrayList<>();

    /** The output, as a reader of committed records sees it. */
    final List<OutputTopic.Made> output = new ArrayList<>();

    private @Nullable Written written;
    private long progress = -1;
    private int progressEpoch = DeliveryLink.NO_EPOCH;
    private Leaders leaders = Leaders.NONE;
    private SavedHeads kept = SavedHeads.NOTHING;
    private long scopeBegin;

    /** What a transaction writes of one partition. */
    record Batch(
            List<Alert> alerts,
            List<Finding> findings,
            long progress,
            int progressEpoch,
            Leaders leaders,
            SavedHeads kept,
            List<OutputTopic.Made> output,
            Written written,
            long beganAt) {}

    /** Takes what a transaction wrote. */
    void take(Batch batch) {
        if (progress < 0) {
            scopeBegin = batch.beganAt();
        }
        alerts.addAll(batch.alerts());
        findings.addAll(batch.findings());
        progress = batch.progress();
        progressEpoch = batch.progressEpoch();
        leaders = batch.leaders();
        kept = batch.kept();
        output.addAll(batch.output());
        written = batch.written();
    }

    /** Where verification began; what lies before is nobody's concern. */
    long scopeBegin() {
        return scopeBegin;
    }

    /** How far the output is written; null if it never was. */
    @Nullable
    Written written() {
        return written;
    }

    /** The committed progress; -1 if there is none. */
    long progress() {
        return progress;
    }

    int progressEpoch() {
        return progressEpoch;
    }

    /** The leaders that wrote what lies before it. */
    Leaders leaders() {
        return leaders;
    }

    SavedHeads kept() {
        return kept;
    }
}
