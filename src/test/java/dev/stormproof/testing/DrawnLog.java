package dev.stormproof.testing;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.chain.ChainVerifier;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * A log as a test draws it, with a verifier.
 *
 * <pre>
 *   [e7]    a {@linkplain DrawnRecords record} that is lost in transit, once
 * </pre>
 *
 * <p>Interval n holds two events unless {@link #intervals} says otherwise.
 */
public final class DrawnLog {
    private static final int MOST_QUESTIONS = 100_000;

    /** The promise of each checkpoint. */
    public static final long PROMISE_MILLIS = DrawnRecords.PROMISE_MILLIS;

    /** The inactivity timeouts of the verifier. */
    public static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);

    private final SimulatedLog log = new SimulatedLog();
    private final DrawnRecords records = new DrawnRecords(log);
    private final Set<Long> lost = new HashSet<>();
    private final Bounds bounds;
    private ChainVerifier verifier;
    private long delivered;
    private long previous = -1;

    private DrawnLog(Bounds bounds) {
        this.bounds = bounds;
        this.verifier = newVerifier(0, Leaders.NONE, SavedHeads.NOTHING);
    }

    /** A log of which nothing is delivered yet. */
    public static DrawnLog of(String drawing) {
        return of(Bounds.DEFAULT, drawing);
    }

    /** The same, with a verifier of little room. */
    public static DrawnLog of(Bounds bounds, String drawing) {
        return new DrawnLog(bounds).append(drawing);
    }

    /** A log whose intervals 1, 2, … hold so many events; two each behind those. */
    public static DrawnLog intervals(int... sizes) {
        DrawnLog drawn = new DrawnLog(Bounds.DEFAULT);
        drawn.records.sizes(sizes);
        return drawn;
    }

    /** The faultless records of these intervals, of which the last one ends the stream, to be changed and appended. */
    public List<String> faultless() {
        return records.faultless();
    }

    public DrawnLog append(List<String> words) {
        return append(String.join(" ", words));
    }

    public DrawnLog append(String drawing) {
        boolean losing = false;
        for (String word : drawing.strip().split("\\s+", -1)) {
            losing |= word.startsWith("[");
            if (losing) {
                lost.add(log.endOffset());
            }
            losing &= !word.endsWith("]");
            records.append(word.replaceAll("[\\[\\]]", ""));
        }
        return this;
    }

    /** Appends the record that is made for its offset. */
    public DrawnLog append(LongFunction<? extends LogRecord> made) {
        log.append(made);
        return this;
    }

    /** The log itself. */
    public SimulatedLog log() {
        return log;
    }

    public ChainVerifier verifier() {
        return verifier;
    }

    public DrawnLog expireBefore(long offset) {
        log.expireBefore(offset);
        return this;
    }

    /** An unclean election. */
    public DrawnLog truncate(long offset) {
        log.truncate(offset);
        lost.removeIf(other -> other >= offset);
        if (offset < delivered) {
            deliverFrom(offset);
        }
        return this;
    }

    /** A clean election. */
    public DrawnLog elect() {
        log.elect();
        return this;
    }

    /** Delivers what was not delivered yet, and answers the questions that follow from each record at once. */
    public DrawnLog verify() {
        return deliver(this::audit);
    }

    /** Delivers what was not delivered yet, and answers nothing. */
    public DrawnLog deliver() {
        return deliver(() -> {});
    }

    /** Has a reader begin anew at an offset, in the log as it is. */
    public DrawnLog deliverFrom(long offset) {
        delivered = offset;
        previous = offset - 1;
        return this;
    }

    /** Delivers one record again, and answers the questions that follow. */
    public DrawnLog deliverAgain(long offset) {
        SimulatedLog.Entry entry = log.entries(offset, offset + 1).get(0);
        verifier.take(
                new DeliveryLink(offset, offset - 1, entry.leaderEpoch()),
                new Read(entry.record(), entry.leaderEpoch(), LogRecord.NO_TIME, null));
        return audit();
    }

    private DrawnLog deliver(Runnable behindEach) {
        if (delivered < log.bounds().begin()) {
            deliverFrom(log.bounds().begin());
        }
        for (SimulatedLog.Entry entry : log.entries(delivered, Math.max(delivered, log.endOffset()))) {
            DeliveryLink link = new DeliveryLink(entry.record().offset(), previous, entry.leaderEpoch());
            previous = link.offset();
            if (!lost.remove(link.offset())) {
                verifier.take(link, new Read(entry.record(), entry.leaderEpoch(), LogRecord.NO_TIME, null));
                behindEach.run();
            }
        }
        delivered = log.endOffset();
        return this;
    }

    /** Answers every question of the verifier. */
    public DrawnLog audit() {
        int asked = 0;
        for (Optional<LogQuery> task = verifier.nextQuery(); task.isPresent(); task = verifier.nextQuery()) {
            if (++asked > MOST_QUESTIONS) {
                throw new AssertionError("the verifier asks without end: " + task.get());
            }
            answer(task.get());
        }
        return this;
    }

    /** The questions that the verifier asks now, not answered. */
    public List<LogQuery> ask() {
        List<LogQuery> tasks = new ArrayList<>();
        for (Optional<LogQuery> task = verifier.nextQuery(); task.isPresent(); task = verifier.nextQuery()) {
            tasks.add(task.get());
        }
        return tasks;
    }

    /** Reads the log for a question; the answer is to be handed over by the test. */
    public Consumer<ChainVerifier> read(LogQuery task) {
        try {
            if (task instanceof RangeQuery range) {
                LogRange found = RangeReading.read(log, range);
                return asking -> asking.answer(range, found);
            }
            PieceQuery piece = (PieceQuery) task;
            LogPiece.Found found = PieceReading.read(log, piece.piece());
            return asking -> asking.answer(piece, found);
        } catch (ExpiredRangeException e) {
            throw new AssertionError("nothing expires during a reading here", e);
        }
    }

    public DrawnLog answer(LogQuery task) {
        read(task).accept(verifier);
        return this;
    }

    /** Notes the time, answers every question, and notes it once more. */
    public DrawnLog tick(long nowMillis) {
        verifier.tick(nowMillis);
        audit();
        verifier.tick(nowMillis);
        return audit();
    }

    /** Lets the verifier die: another one begins at its progress, with everything that was committed beside it. */
    public DrawnLog restart() {
        return restart(verifier.progressOffset(), verifier.progressEpoch(), verifier.saved());
    }

    /** Begins with a new verifier, and a new reader. */
    public DrawnLog restart(long progress, int epoch, SavedHeads saved) {
        verifier = newVerifier(progress, Leaders.of(progress - 1, epoch), saved);
        return deliverFrom(progress);
    }

    private ChainVerifier newVerifier(long progress, Leaders leaders, SavedHeads saved) {
        return new ChainVerifier(
                new PartitionId("orders", 0), progress, leaders, saved, TIMEOUTS, bounds, Optional.empty());
    }

    public long progress() {
        return verifier.progressOffset();
    }

    /** The findings since the last call, each in a few words. */
    public List<String> findings() {
        return verifier.drainFindings().stream().map(FindingText::of).toList();
    }
}
