package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.judge.Finding;
import dev.stormproof.log.AuditJob;
import dev.stormproof.log.Auditor;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.Bounds;
import dev.stormproof.verify.InactivityTimeouts;
import dev.stormproof.verify.PartitionVerifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last bolt: a verifier, a ledger and an outbox, all of which are lost when it crashes.
 *
 * <p>Audits go on beside it: a task is taken in one step, the log is read in another, the answer comes in a third.
 */
final class Bolt {
    /** Fewer than in a note of Kafka's, so that runs go beyond it. */
    private static final int MOST_PROMISES = 1;

    private final HistoricLog log;
    private final Broker broker;
    private final InactivityTimeouts timeouts;
    private final Bounds bounds;
    private final Consumer<Finding> drained;
    private final int generation;
    private final AlertLedger ledger = new AlertLedger();
    private final Deque<AuditTask> tasks = new ArrayDeque<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<Finding> outbox = new ArrayList<>();
    private @Nullable PartitionVerifier verifier;
    private long beganAt;

    /** @param drained sees every finding as soon as it is made */
    Bolt(HistoricLog log, Broker broker, InactivityTimeouts timeouts, Bounds bounds, Consumer<Finding> drained) {
        this.log = log;
        this.broker = broker;
        this.timeouts = timeouts;
        this.bounds = bounds;
        this.drained = drained;
        this.generation = broker.newOwner();
        broker.alerts.forEach(alert -> ledger.publish(alert.finding()));
        if (broker.progress() >= 0) {
            ledger.forgetBefore(broker.progress());
            verifier = newVerifier(broker.progress(), broker.progressEpoch());
            verifier.expect(broker.promises());
        }
    }

    void take(Spout.Tuple tuple) {
        if (verifier == null) {
            verifier = newVerifier(log.beginOffset(), -1);
        }
        verifier.take(tuple.link(), tuple.entry().record);
        drain();
    }

    void tick(long nowMillis) {
        if (verifier != null) {
            verifier.tick(nowMillis);
            drain();
        }
    }

    /** Takes on the next audit; false if there is none. */
    boolean takeAudit() {
        Optional<AuditTask> task = verifier == null ? Optional.empty() : verifier.nextAudit();
        task.ifPresent(tasks::add);
        return task.isPresent();
    }

    /** Reads the log for one of the audits taken on; false if none is. */
    boolean readForAudit(SplittableRandom random) {
        if (tasks.isEmpty()) {
            return false;
        }
        for (int skip = random.nextInt(tasks.size()); skip > 0; skip--) {
            tasks.add(tasks.remove());
        }
        AuditTask task = tasks.remove();
        try {
            answers.add(answer(task));
        } catch (ExpiredRangeException expiredWhileRead) {
            tasks.add(task);
        }
        return true;
    }

    /** Hands in the answer of one audit; false if there is none. */
    boolean answerAudit(SplittableRandom random) {
        if (answers.isEmpty()) {
            return false;
        }
        answers.remove(random.nextInt(answers.size())).run();
        drain();
        return true;
    }

    /** Commits what was found, and the progress; false if another bolt has taken over. */
    boolean flush(long nowMillis) {
        if (verifier == null) {
            return broker.owns(generation);
        }
        drain();
        List<Alert> alerts = new ArrayList<>();
        for (Finding finding : outbox) {
            Alert alert = new Alert("/stormproof/sim", nowMillis, finding);
            if (alert.isAlarm() && ledger.publish(finding)) {
                alerts.add(alert);
            }
        }
        long progress = verifier.progressOffset();
        if (!broker.commit(
                generation,
                alerts,
                outbox,
                progress,
                verifier.progressEpoch(),
                verifier.promises().named(MOST_PROMISES),
                beganAt)) {
            return false;
        }
        outbox.clear();
        ledger.forgetBefore(progress);
        return true;
    }

    /** True if nothing is waiting to be read, answered or written. */
    boolean isIdle() {
        return tasks.isEmpty() && answers.isEmpty() && outbox.isEmpty();
    }

    Optional<PartitionVerifier> verifier() {
        return Optional.ofNullable(verifier);
    }

    /** How far everything is decided, committed or not; -1 if nothing was read. */
    long progressOffset() {
        return verifier == null ? -1 : verifier.progressOffset();
    }

    /** How far the log was handed over; -1 if nothing was read. */
    long nextOffset() {
        return verifier == null ? -1 : verifier.nextOffset();
    }

    int ledgerSize() {
        return ledger.size();
    }

    private PartitionVerifier newVerifier(long resumeOffset, int resumeEpoch) {
        beganAt = resumeOffset;
        return new PartitionVerifier(World.TOPIC, World.PARTITION, resumeOffset, resumeEpoch, timeouts, bounds);
    }

    private Runnable answer(AuditTask task) throws ExpiredRangeException {
        PartitionVerifier asking = verifier;
        if (asking == null) {
            throw new IllegalStateException("no verifier has asked");
        }
        Consumer<PartitionVerifier> answer = AuditJob.answer(new Auditor(log), log, task);
        return () -> answer.accept(asking);
    }

    private void drain() {
        if (verifier != null) {
            for (Finding finding : verifier.drainFindings()) {
                outbox.add(finding);
                drained.accept(finding);
            }
        }
    }
}
