package dev.stormproof.testing;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.DeliveryLink;
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
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A log as a test {@linkplain DrawnRecords draws} it, line by line, with a verifier that keeps a chain of heads.
 *
 * <pre>
 *   #0 e0 #1 ► finding ► finding · 3     these records are delivered, and every query is answered; then progress is 3
 *   … #0 e0                              they are delivered, and no query is answered before the next line
 *   ✗ e0                                 these are written, and not delivered
 *   ⏳                                   more time passes than was promised, and one step is taken in giving up
 *   │                                    another verifier goes on from the progress with what was kept
 *   │ nothing                            … with nothing kept
 *   ✂ 5                                  an unclean election: everything from offset 5 on is gone
 *   ✝ 5                                  retention: everything before offset 5 is gone
 * </pre>
 */
public final class ChainLog {
    private static final int MOST_QUERIES = 100_000;
    /** The deadline that each checkpoint sets for the next one. */
    public static final long PROMISE_MILLIS = DrawnRecords.PROMISE_MILLIS;

    private static final long BEYOND_ANY_PROMISE_MILLIS = 2 * PROMISE_MILLIS;
    /** The inactivity timeouts of the verifier. */
    public static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);

    private final SimulatedLog log = new SimulatedLog();
    private final DrawnRecords records = new DrawnRecords(log);
    private final Bounds bounds;
    private ChainVerifier verifier;
    private long delivered;
    private long previous = -1;
    private long nowMillis;

    private ChainLog(Bounds bounds) {
        this.bounds = bounds;
        this.verifier = verifier(0, Leaders.NONE, SavedHeads.NOTHING);
    }

    /** A log of which nothing is delivered yet. */
    public static ChainLog of(String drawing) {
        return of(Bounds.DEFAULT, drawing);
    }

    /** The same, with a verifier of little room. */
    public static ChainLog of(Bounds bounds, String drawing) {
        return new ChainLog(bounds).append(drawing);
    }

    /** A log whose intervals 1, 2, … hold so many events; two each after those. */
    public static ChainLog intervals(int[] sizes, String drawing) {
        ChainLog log = new ChainLog(Bounds.DEFAULT);
        log.records.sizes(sizes);
        return log.append(drawing);
    }

    /** What is found of a drawing, as the drawing has to say it. */
    public static String played(String drawing) {
        return played(Bounds.DEFAULT, drawing);
    }

    /** The same, with a verifier of little room. */
    public static String played(Bounds bounds, String drawing) {
        ChainLog log = of(bounds, "");
        StringBuilder played = new StringBuilder();
        drawing.lines().forEach(line -> {
            String step = line.split("[►·]", 2)[0].strip();
            log.play(step);
            played.append(step);
            log.findings().forEach(finding -> played.append(" ► ").append(finding));
            played.append(" · ").append(log.progress()).append('\n');
        });
        return played.toString();
    }

    private void play(String step) {
        String[] words = step.split(" ", 2);
        switch (words[0]) {
            case "…" -> append(words[1]).deliver();
            case "✗" -> append(words[1]).skip();
            case "⏳" -> passTime();
            case "│" -> {
                restart(words.length == 1 ? verifier.saved() : SavedHeads.NOTHING);
                verify().tick();
            }
            case "✂" -> truncate(Long.parseLong(words[1])).readOn();
            case "✝" -> expireBefore(Long.parseLong(words[1]));
            default -> append(step).verify().tick();
        }
    }

    public ChainLog append(String drawing) {
        for (String word : drawing.strip().split("\\s+", -1)) {
            records.append(word);
        }
        return this;
    }

    /** Appends the record that is made for its offset. */
    public ChainLog append(LongFunction<? extends LogRecord> made) {
        log.append(made);
        return this;
    }

    public SimulatedLog log() {
        return log;
    }

    public ChainVerifier verifier() {
        return verifier;
    }

    /** Has what was not delivered yet never be. */
    public ChainLog skip() {
        delivered = log.endOffset();
        previous = delivered - 1;
        return this;
    }

    /** Has an unclean election take everything from an offset on, of which the verifier does not know yet. */
    public ChainLog truncate(long offset) {
        log.truncate(offset);
        if (offset < delivered) {
            delivered = offset;
            previous = offset - 1;
        }
        return this;
    }

    /** Has the verifier read the log to its end, and take the time. */
    public ChainLog readOn() {
        verifier.readOn();
        return tick();
    }

    /** Has retention delete everything before an offset. */
    public ChainLog expireBefore(long offset) {
        log.expireBefore(offset);
        return this;
    }

    /** Delivers what was not delivered yet, and answers the queries that follow from each record at once. */
    public ChainLog verify() {
        return deliver(this::answer);
    }

    /** Delivers what was not delivered yet, and answers nothing. */
    public ChainLog deliver() {
        return deliver(() -> {});
    }

    private ChainLog deliver(Runnable behindEach) {
        behindEach.run();
        if (delivered < log.bounds().begin()) {
            delivered = log.bounds().begin();
            previous = delivered - 1;
        }
        for (SimulatedLog.Entry entry : log.entries(delivered, Math.max(delivered, log.endOffset()))) {
            DeliveryLink link = new DeliveryLink(entry.record().offset(), previous, entry.leaderEpoch());
            previous = link.offset();
            verifier.take(link, new Read(entry.record(), entry.leaderEpoch(), LogRecord.NO_TIME, null));
            behindEach.run();
        }
        delivered = log.endOffset();
        return this;
    }

    /** Answers every query of the verifier. */
    public ChainLog answer() {
        for (int asked = 0; asked < MOST_QUERIES; asked++) {
            Optional<LogQuery> query = verifier.nextQuery();
            if (query.isEmpty()) {
                return this;
            }
            if (query.get() instanceof RangeQuery range) {
                verifier.answer(range, read(range));
            } else {
                PieceQuery piece = (PieceQuery) query.get();
                verifier.answer(piece, read(piece.piece()));
            }
        }
        throw new AssertionError("the verifier asks without end");
    }

    /** The ranges that the verifier asks for now, not answered. */
    public List<RangeQuery> ask() {
        List<RangeQuery> queries = new ArrayList<>();
        while (verifier.nextQuery().orElse(null) instanceof RangeQuery query) {
            queries.add(query);
        }
        return queries;
    }

    /** Reads the log for a query; the answer is to be handed over by the test. */
    public LogRange read(RangeQuery query) {
        try {
            return RangeReading.read(log, List.of(query)).get(0);
        } catch (ExpiredRangeException e) {
            throw new AssertionError("nothing expires during a reading here", e);
        }
    }

    /** Reads a piece of the log; the answer is to be handed over by the test. */
    public LogPiece.Found read(LogPiece piece) {
        try {
            return PieceReading.read(log, piece);
        } catch (ExpiredRangeException e) {
            throw new AssertionError("nothing expires during a reading here", e);
        }
    }

    /** Lets more time pass than was promised, and answers every query. */
    public ChainLog passTime() {
        nowMillis += BEYOND_ANY_PROMISE_MILLIS;
        return tick();
    }

    /** Notes the time, and answers every query. */
    public ChainLog tick() {
        verifier.tick(nowMillis);
        return answer();
    }

    /** Lets the verifier die: another one begins at its progress. */
    public ChainLog restart(SavedHeads saved) {
        long progress = verifier.progressOffset();
        verifier = verifier(progress, verifier.progressLeaders(), saved);
        delivered = progress;
        previous = progress - 1;
        return this;
    }

    /** A verifier of a partition that begins at an offset, of which nothing is known. */
    public static ChainVerifier verifier(PartitionId partition, long begin) {
        return new ChainVerifier(
                partition,
                begin,
                Leaders.NONE,
                SavedHeads.NOTHING,
                InactivityTimeouts.DEFAULT,
                Bounds.DEFAULT,
                Optional.empty());
    }

    private ChainVerifier verifier(long progress, Leaders leaders, SavedHeads saved) {
        return new ChainVerifier(
                new PartitionId("orders", 0), progress, leaders, saved, TIMEOUTS, bounds, Optional.empty());
    }

    public long progress() {
        return verifier.progressOffset();
    }

    /** The findings since the last call, each in a few words. */
    public List<String> findings() {
        return drain().stream().map(FindingText::placed).toList();
    }

    /** The findings since the last call. */
    public List<Finding> drain() {
        return verifier.drainFindings();
    }
}
