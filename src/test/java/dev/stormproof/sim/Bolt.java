package dev.stormproof.sim;

import static java.util.Objects.requireNonNull;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.log.AuditJob;
import dev.stormproof.log.Auditor;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.output.OnError;
import dev.stormproof.output.PartitionOutput;
import dev.stormproof.output.Written;
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
    private final boolean fragile;
    private final Consumer<Finding> drained;
    private final int generation;
    /** When its clock began to run, which knows no time of day. */
    private final long startedMillis;

    private final AlertLedger ledger = new AlertLedger();
    private final Deque<AuditTask> tasks = new ArrayDeque<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<Finding> outbox = new ArrayList<>();
    private final OutputTopic topic = new OutputTopic();
    private @Nullable PartitionVerifier verifier;
    private @Nullable PartitionOutput output;
    private @Nullable HandedOver handedOver;
    private long beganAt;

    /**
     * @param fragile true if its transform cannot stand every event
     * @param drained sees every finding as soon as it is made
     */
    Bolt(
            HistoricLog log,
            Broker broker,
            InactivityTimeouts timeouts,
            Bounds bounds,
            boolean fragile,
            long nowMillis,
            Consumer<Finding> drained) {
        this.log = log;
        this.broker = broker;
        this.timeouts = timeouts;
        this.bounds = bounds;
        this.fragile = fragile;
        this.drained = drained;
        this.startedMillis = nowMillis;
        this.generation = broker.newOwner();
        broker.alerts.forEach(alert -> ledger.publish(alert.finding()));
        if (broker.progress() >= 0) {
            ledger.forgetBefore(broker.progress());
            verifier = newVerifier(broker.progress(), broker.progressEpoch(), broker.written());
            verifier.expect(broker.promises());
        }
    }

    void take(Spout.Tuple tuple) {
        if (verifier == null) {
            verifier = newVerifier(log.beginOffset(), -1, null);
        }
        verifier.take(tuple.link(), tuple.entry().record, OutputTopic.contentOf(tuple.entry()));
        drain();
    }

    void tick(long nowMillis) {
        if (verifier != null) {
            verifier.tick(nowMillis - startedMillis);
            drain();
        }
    }

    /** Takes on the next audit; false if there is none. */
    boolean takeAudit() {
        Optional<AuditTask> task = verifier == null ? Optional.empty() : verifier.nextAudit();
        task.ifPresent(tasks::add);
        return task.isPresent();
    }

    /** Reads the log for one of the audits taken on, by an auditor that others may share; false if none is. */
    boolean readForAudit(SplittableRandom random, Auditor auditor) {
        if (tasks.isEmpty()) {
            return false;
        }
        for (int skip = random.nextInt(tasks.size()); skip > 0; skip--) {
            tasks.add(tasks.remove());
        }
        AuditTask task = tasks.remove();
        try {
            answers.add(answer(auditor, task));
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
                topic.drain(),
                requireNonNull(output).written(),
                beganAt)) {
            return false;
        }
        outbox.clear();
        ledger.forgetBefore(progress);
        return true;
    }

    /** The topic is no more. */
    void abandon() {
        if (verifier != null) {
            verifier.abandon();
            drain();
        }
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

    /** True if the verifier has taken this very record. */
    boolean took(LogRecord record) {
        return handedOver != null && handedOver.took(record);
    }

    int ledgerSize() {
        return ledger.size();
    }

    private PartitionVerifier newVerifier(long resumeOffset, int resumeEpoch, @Nullable Written written) {
        beganAt = resumeOffset;
        PartitionOutput made = new PartitionOutput(
                new PartitionId(World.TOPIC, World.PARTITION),
                written == null ? Written.before(resumeOffset) : written,
                topic,
                OutputTopic.transform(fragile),
                content -> false,
                OnError.HALT,
                undelivered -> {});
        output = made;
        HandedOver taker = new HandedOver(made);
        handedOver = taker;
        return new PartitionVerifier(
                World.TOPIC, World.PARTITION, resumeOffset, resumeEpoch, timeouts, bounds, Optional.of(taker));
    }

    /**
     * An operator lets the output go on that stands at an event: the partition is read once more, as after a restart.
     *
     * @return false if it stands nowhere
     */
    boolean release() {
        PartitionVerifier stands = verifier;
        PartitionOutput halted = output;
        if (stands == null || halted == null || halted.haltedAt().isEmpty()) {
            return false;
        }
        long began = beganAt;
        PartitionVerifier again = newVerifier(stands.progressOffset(), stands.progressEpoch(), halted.written());
        again.expect(stands.promises());
        requireNonNull(output).divertAt(halted.haltedAt().getAsLong());
        beganAt = began;
        verifier = again;
        tasks.clear();
        answers.clear();
        return true;
    }

    private Runnable answer(Auditor auditor, AuditTask task) throws ExpiredRangeException {
        PartitionVerifier asking = verifier;
        if (asking == null) {
            throw new IllegalStateException("no verifier has asked");
        }
        Consumer<PartitionVerifier> answer = AuditJob.answer(auditor, log, task);
        return () -> answer.accept(asking);
    }

    private void drain() {
        if (verifier != null) {
            for (Finding finding : verifier.drainFindings()) {
                outbox.add(finding);
                drained.accept(finding);
            }
            verifier.holdAt(requireNonNull(output).haltedAt().orElse(Long.MAX_VALUE));
        }
    }
}
