package dev.stormproof.testing;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.verify.chain.ChainVerifier;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.InactivityTimeouts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log as a test draws it, with a verifier.
 *
 * <pre>
 *   e7      event 7 of Alice; be7, ce7, de7 of three others; pe7 in format 1
 *   #3      checkpoint 3, likewise; it states its own events, whatever the log holds
 *   #3.     checkpoint 3, which ends the stream
 *   #3'     checkpoint 3 as another emitter states it
 *   #3"     checkpoint 3 of a second emitter of the same id, over ^e4 ^e5; it continues #2" if that was drawn
 *   ~e7     event 7 with another value than was signed
 *   ^e7     event 7 with another value, and a signature that fits it
 *   x       a record of no stream
 *   ?       a record that is too large to be read
 *   |       a transaction marker
 *   [e7]    lost in transit, once
 * </pre>
 *
 * <p>Interval n holds two events, so that a faultless log is {@code #0 e0 e1 #1 e2 e3 #2}, unless {@link #intervals} says
 * otherwise. Format 1 has no checkpoint 0. Each checkpoint promises the next one within {@link #PROMISE_MILLIS}.
 */
public final class DrawnLog {
    private static final int MOST_QUESTIONS = 100_000;

    /** The promise of each checkpoint. */
    public static final long PROMISE_MILLIS = 60_000;

    /** The inactivity timeouts of the verifier. */
    public static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);

    private static final Pattern TOKEN = Pattern.compile("([~^]?)([bcdp]?)([e#])(\\d+)([.'\"]?)");

    private final SimulatedLog log = new SimulatedLog();
    private final Set<Long> lost = new HashSet<>();
    private final Map<Long, CheckpointRecord> forked = new HashMap<>();
    private final Bounds bounds;
    private int[] sizes = {};
    private ChainVerifier verifier;
    private long delivered;
    private long previous = -1;

    private DrawnLog(Bounds bounds) {
        this.bounds = bounds;
        verifier = newVerifier(0, Leaders.NONE, SavedHeads.NOTHING);
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
        drawn.sizes = sizes.clone();
        return drawn;
    }

    /** The faultless records of these intervals, of which the last one ends the stream, to be changed and appended. */
    public List<String> faultless() {
        List<String> records = new ArrayList<>(List.of("#0"));
        for (int number = 1; number <= sizes.length; number++) {
            for (long sequence = firstSequence(number); sequence < firstSequence(number + 1); sequence++) {
                records.add("e" + sequence);
            }
            records.add("#" + number + (number == sizes.length ? "." : ""));
        }
        return records;
    }

    public DrawnLog append(List<String> records) {
        return append(String.join(" ", records));
    }

    public DrawnLog append(String drawing) {
        boolean losing = false;
        for (String word : drawing.strip().split("\\s+", -1)) {
            losing |= word.startsWith("[");
            if (losing) {
                lost.add(log.endOffset());
            }
            losing &= !word.endsWith("]");
            append(word, word.replaceAll("[\\[\\]]", ""));
        }
        return this;
    }

    /** Appends the record that is made for its offset. */
    public DrawnLog append(LongFunction<? extends LogRecord> made) {
        log.append(made);
        return this;
    }

    private void append(String word, String token) {
        if (token.equals("|")) {
            log.appendMarker();
        } else if (!token.isEmpty()) {
            if (token.equals("x")) {
                log.append(offset ->
                        new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "x", LogRecord.NO_TIME));
                return;
            }
            if (token.equals("?")) {
                log.append(offset -> new OversizedRecords(offset, offset, 1, "?", LogRecord.NO_TIME));
                return;
            }
            Matcher parts = TOKEN.matcher(token);
            if (!parts.matches()) {
                throw new IllegalArgumentException("drawn: " + word);
            }
            long number = Long.parseLong(parts.group(4));
            StreamRecords stream = stream(parts.group(2));
            log.append(offset -> parts.group(3).equals("#")
                    ? checkpoint(stream, number, parts.group(5), offset)
                    : event(stream, number, parts.group(1), offset));
        }
    }

    private static StreamRecords stream(String letter) {
        return switch (letter) {
            case "" -> StreamRecords.ALICE;
            case "b" -> StreamRecords.BOB;
            case "p" -> StreamRecords.PLAIN;
            default -> StreamRecords.of(letter.charAt(0));
        };
    }

    private static LogRecord event(StreamRecords stream, long sequence, String change, long offset) {
        if (stream.equals(StreamRecords.PLAIN)) {
            return stream.plainEvent(offset, sequence);
        }
        return switch (change) {
            case "~" -> stream.altered(offset, sequence);
            case "^" -> stream.forged(offset, sequence);
            default -> stream.event(offset, sequence);
        };
    }

    private CheckpointRecord checkpoint(StreamRecords stream, long number, String change, long offset) {
        long first = firstSequence(number);
        long next = firstSequence(number + 1);
        if (stream.equals(StreamRecords.PLAIN)) {
            long[] signatures = new long[(int) (next - first)];
            Arrays.setAll(signatures, i -> first + i);
            return stream.plainCheckpoint(offset, signatures);
        }
        StreamRecords.Draft draft = stream.checkpoint(number, first, next).promising(PROMISE_MILLIS);
        if (number > 0) {
            CheckpointRecord before = checkpoint(stream, number - 1, "", 0);
            draft.after(change.equals("\"") ? forked.getOrDefault(number - 1, before) : before);
        }
        if (change.equals(".")) {
            draft.closing();
        } else if (change.equals("'")) {
            draft.by("another");
        } else if (change.equals("\"")) {
            forked.put(number, draft.by("second").ofForged().at(offset));
        }
        return draft.at(offset);
    }

    /** The first sequence of an interval; interval 0 holds none. */
    private long firstSequence(long number) {
        long first = 0;
        for (int i = 1; i < number; i++) {
            first += i <= sizes.length ? sizes[i - 1] : 2;
        }
        return first;
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
