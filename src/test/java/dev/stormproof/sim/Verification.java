package dev.stormproof.sim;

import static java.util.Objects.requireNonNull;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.task.output.OnError;
import dev.stormproof.task.output.PartitionOutput;
import dev.stormproof.task.output.VerifiedOutput;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.PieceQuery;
import dev.stormproof.verify.fold.RangeQuery;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The verification of one partition in its task: a verifier, a ledger and an outbox, all of which are lost when the task crashes.
 *
 * <p>Audits go on beside it: a question is taken in one step, the log is read in another, the answer comes in a third.
 */
final class Verification {
    private final Partition partition;
    private final HistoricLog log;
    private final Committed committed;
    private final Settings settings;
    private final Consumer<Finding> drained;
    /** When its clock began to run, which knows no time of day. */
    private final long startedMillis;

    private final AlertLedger ledger = new AlertLedger();
    private final Deque<LogQuery> questions = new ArrayDeque<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<Finding> outbox = new ArrayList<>();
    private final OutputTopic topic;
    private @Nullable ChainVerifier verifier;
    private @Nullable PartitionOutput output;
    private @Nullable VerifiedOutput held;
    private HeldBack.@Nullable Passing passing;
    private @Nullable HandedOver handedOver;
    private long beganAt;

    /**
     * What all verifications of a run have in common.
     *
     * @param fragile true if the transform cannot stand every event
     * @param held how the outputs are held back; empty if they are not
     */
    record Settings(InactivityTimeouts timeouts, Bounds bounds, boolean fragile, Optional<HeldBack.Settings> held) {}

    /**
     * One that begins from what is committed.
     *
     * @param drained sees every finding as soon as it is made
     */
    Verification(Partition partition, Settings settings, long nowMillis, Consumer<Finding> drained) {
        this.partition = partition;
        this.log = partition.log();
        this.committed = partition.committed();
        this.settings = settings;
        this.drained = drained;
        this.startedMillis = nowMillis;
        this.topic = new OutputTopic(
                settings.held().map(HeldBack.Settings::transactionRecords).orElse(Integer.MAX_VALUE));
        committed.alerts.forEach(alert -> ledger.publish(alert.finding()));
        if (committed.progress() >= 0) {
            ledger.forgetBefore(committed.progress());
            verifier = newVerifier(
                    committed.progress(),
                    committed.progressEpoch(),
                    committed.leaders(),
                    committed.kept(),
                    committed.written());
        }
    }

    Partition partition() {
        return partition;
    }

    void take(Spout.Tuple tuple) {
        if (verifier == null) {
            verifier = newVerifier(log.beginOffset(), Leaders.NO_EPOCH, Leaders.NONE, SavedHeads.NOTHING, null);
        }
        verifier.take(
                tuple.link(),
                new Read(
                        tuple.entry().record,
                        tuple.link().leaderEpoch(),
                        LogRecord.NO_TIME,
                        OutputTopic.contentOf(tuple.entry())));
        drain();
    }

    void tick(long nowMillis) {
        if (verifier != null) {
            verifier.tick(nowMillis - startedMillis);
            drain();
            if (held != null) {
                held.tick(nowMillis - startedMillis);
            }
        }
    }

    /** Takes on the next audit; false if there is none. */
    boolean takeAudit() {
        Optional<LogQuery> task =
                verifier == null ? Optional.empty() : verifier.nextQuery().or(this::besideIt);
        task.ifPresent(questions::add);
        return task.isPresent();
    }

    private Optional<LogQuery> besideIt() {
        VerifiedOutput behind = held;
        return behind == null ? Optional.empty() : behind.ask().map(piece -> new PieceQuery(behind, piece));
    }

    /** Reads the log for one of the audits taken on; false if none is. */
    boolean readForAudit(SplittableRandom random) {
        if (questions.isEmpty()) {
            return false;
        }
        for (int skip = random.nextInt(questions.size()); skip > 0; skip--) {
            questions.add(questions.remove());
        }
        LogQuery task = questions.remove();
        try {
            answers.add(answer(task));
        } catch (ExpiredRangeException expiredWhileRead) {
            questions.add(task);
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

    /** What its task's next transaction writes of it; empty if it has read nothing yet. */
    Optional<Runnable> write(long nowMillis) {
        ChainVerifier reading = verifier;
        if (reading == null) {
            return Optional.empty();
        }
        drain();
        List<Alert> alerts = new ArrayList<>();
        for (Finding finding : outbox) {
            Alert alert = new Alert("/stormproof/sim", nowMillis, finding);
            if (alert.isAlarm() && ledger.publish(finding)) {
                alerts.add(alert);
            }
        }
        Committed.Batch batch = new Committed.Batch(
                alerts,
                List.copyOf(outbox),
                reading.progressOffset(),
                reading.progressEpoch(),
                reading.progressLeaders(),
                reading.saved(),
                topic.drain(),
                requireNonNull(output).written(),
                beganAt);
        HeldBack.Passing noted = passing;
        Runnable noting = noted == null ? () -> {} : noted.committing();
        return Optional.of(() -> {
            committed.take(batch);
            noting.run();
            outbox.clear();
            ledger.forgetBefore(batch.progress());
        });
    }

    /** The topic is no more. */
    void abandon() {
        if (verifier != null) {
            verifier.abandon();
            drain();
        }
    }

    Optional<ChainVerifier> verifier() {
        return Optional.ofNullable(verifier);
    }

    /** How far everything is decided, committed or not; -1 if nothing was read. */
    long progressOffset() {
        return verifier == null ? -1 : verifier.progressOffset();
    }

    /** How far the log was handed over; -1 if nothing was read. */
    long nextOffset() {
        return verifier == null ? -1 : verifier.feed().nextOffset();
    }

    /** True if the verifier has taken this very record. */
    boolean took(LogRecord record) {
        return handedOver != null && handedOver.took(record);
    }

    /** True if some of a held output waits for the next transaction alone. */
    boolean isBehind() {
        return held != null && held.isBehind();
    }

    int ledgerSize() {
        return ledger.size();
    }

    private ChainVerifier newVerifier(
            long resumeOffset, int resumeEpoch, Leaders leaders, SavedHeads kept, @Nullable Written written) {
        beganAt = resumeOffset;
        PartitionOutput made = new PartitionOutput(
                partition.id(),
                written == null ? Written.before(resumeOffset) : written,
                topic,
                Optional.of(new OutputTopic(Integer.MAX_VALUE)),
                OutputTopic.transform(settings.fragile()),
                content -> false,
                OnError.HALT,
                undelivered -> {});
        output = made;
        VerifiedOutput before = settings.held()
                .map(holding -> new VerifiedOutput(
                        partition.id(),
                        AllowedEmitters.ALL,
                        made,
                        resumeOffset,
                        settings.bounds(),
                        holding.mostVerdicts(),
                        holding.onViolation(),
                        told -> {}))
                .orElse(null);
        held = before;
        HeldBack.Passing passedBefore = passing;
        passing = partition
                .heldBack()
                .map(holding -> holding.passing(made.written(), passedBefore))
                .orElse(null);
        HandedOver taker = new HandedOver(before == null ? made : before);
        handedOver = taker;
        return new ChainVerifier(
                partition.id(),
                resumeOffset,
                leaders.agreeingWith(resumeOffset - 1, resumeEpoch),
                kept,
                settings.timeouts(),
                settings.bounds(),
                Optional.of(taker));
    }

    /**
     * The output goes on that stands at an event which was verified after all.
     *
     * @return false if there is none
     */
    boolean goOn() {
        VerifiedOutput stands = held;
        if (stands == null || !stands.mayGoOn()) {
            return false;
        }
        if (!stands.goOn()) {
            PartitionOutput before = requireNonNull(output);
            readAgain();
            requireNonNull(output).goOnFrom(before);
        }
        return true;
    }

    /**
     * An operator lets the output go on that stands at an event.
     *
     * @return false if it stands nowhere
     */
    boolean release() {
        if (output == null || output.haltedAt().isEmpty()) {
            return false;
        }
        long at = output.haltedAt().getAsLong();
        VerifiedOutput stands = held;
        if (stands != null) {
            stands.release(at, at % 2 == 0);
        }
        if (stands == null || !stands.goOn()) {
            readAgain();
        }
        requireNonNull(output).divertAt(at);
        return true;
    }

    /** The partition is read once more, as after a restart. */
    private void readAgain() {
        ChainVerifier before = requireNonNull(verifier);
        VerifiedOutput heldBefore = held;
        long began = beganAt;
        ChainVerifier again = newVerifier(
                before.progressOffset(),
                before.progressEpoch(),
                before.progressLeaders(),
                before.saved(),
                requireNonNull(output).written());
        if (heldBefore != null) {
            requireNonNull(held).goOnFrom(heldBefore);
            again.readOn();
        }
        beganAt = began;
        verifier = again;
        questions.clear();
        answers.clear();
    }

    private Runnable answer(LogQuery query) throws ExpiredRangeException {
        ChainVerifier asking = requireNonNull(verifier);
        if (query instanceof RangeQuery range) {
            LogRange found = RangeReading.read(log, List.of(range)).get(0);
            return () -> asking.answer(range, found);
        }
        PieceQuery piece = (PieceQuery) query;
        LogPiece.Found found = PieceReading.read(log, piece.piece());
        return () -> asking.answer(piece, found);
    }

    private void drain() {
        if (verifier != null) {
            notePassed();
            for (Finding finding : verifier.drainFindings()) {
                if (held != null) {
                    held.found(finding);
                }
                if (passing != null) {
                    passing.found(finding);
                }
                outbox.add(finding);
                drained.accept(finding);
            }
            long standsAt = requireNonNull(output).standsAt().orElse(Long.MAX_VALUE);
            if (held != null) {
                held.verified(verifier.judgedOffset(false));
                standsAt = Math.min(requireNonNull(output).standsAt().orElse(Long.MAX_VALUE), held.nextOffset());
            }
            verifier.holdAt(standsAt);
            notePassed();
        }
    }

    private void notePassed() {
        if (passing != null) {
            passing.passed(requireNonNull(output).written());
        }
    }

    @Override
    public String toString() {
        return verifier()
                        .map(one -> "undecided " + one.undecided().size() + ", reading "
                                + one.feed().isReading() + ", progress " + one.progressOffset())
                        .orElse("no verifier")
                + ", ledger " + ledger.size();
    }
}
