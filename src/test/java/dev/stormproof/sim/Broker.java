package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.feed.Link;
import dev.stormproof.judge.Finding;
import dev.stormproof.output.Written;
import dev.stormproof.verify.Promises;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Kafka keeps of the verification: alerts and progress, committed together, and who may commit. */
final class Broker {
    /** Every alert, in the order of its commit. */
    final List<Alert> alerts = new ArrayList<>();
    /** Every finding that was drained before a commit, also those that were published before. */
    final List<Finding> findings = new ArrayList<>();

    /** The output, as a reader of committed records sees it. */
    final List<OutputTopic.Made> output = new ArrayList<>();

    private @Nullable Written written;
    private long progress = -1;
    private int progressEpoch = Link.NO_EPOCH;
    private Promises promises = Promises.NONE;
    private int owner;
    private long scopeBegin;

    /** A new owner; the one before is fenced. */
    int newOwner() {
        return ++owner;
    }

    boolean owns(int by) {
        return by == owner;
    }

    /** One transaction; false if the owner is fenced. */
    boolean commit(
            int by,
            List<Alert> newAlerts,
            List<Finding> newFindings,
            long newProgress,
            int newProgressEpoch,
            Promises newPromises,
            List<OutputTopic.Made> newOutput,
            Written newWritten,
            long beganAt) {
        if (!owns(by)) {
            return false;
        }
        if (progress < 0) {
            scopeBegin = beganAt;
        }
        alerts.addAll(newAlerts);
        findings.addAll(newFindings);
        progress = newProgress;
        progressEpoch = newProgressEpoch;
        promises = newPromises;
        output.addAll(newOutput);
        written = newWritten;
        return true;
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

    /** Where the checkpoints lie, before the progress, whose streams owe another. */
    Promises promises() {
        return promises;
    }
}
