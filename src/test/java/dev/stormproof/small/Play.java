package dev.stormproof.small;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.small.Scenario.Answers;
import dev.stormproof.small.Scenario.Step;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.RangeQuery;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.SavedStream;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One verification of a small log: deliveries, answers, and what happens meanwhile. */
final class Play {
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);
    private static final PartitionId PARTITION = new PartitionId("orders", 0);

    /** Longer than any deadline. */
    private static final long SILENCE_MILLIS = 10_000_000;

    /** So many times a silence is noted: for candidates, for doubts, for events after the head, each with a reading. */
    private static final int ROUNDS = 5;

    private static final int MOST_ROUNDS = 20;
    private static final int MOST_ANSWERS = 1_000;

    /**
     * A finding.
     *
     * @param era how many cuts the verifier had noticed
     * @param latest how many there were
     * @param life how many verifiers there were before
     * @param since where the verifier began
     * @param knownFrom before this offset the verifier knew of nothing, or may not have read everything
     */
    record Told(Finding finding, int era, int latest, int knownFrom, int life, int since) {}

    /** @param noticed how many cuts were noticed when it was committed */
    private record Committed(long progress, Leaders leaders, SavedHeads heads, int noticed, List<Integer> knownFrom) {}

    private record Open(RangeQuery query, @Nullable LogRange read) {}

    private final SmallLog small;
    private final Scenario scenario;
    private final Bounds bounds;
    private final SimulatedLog log = new SimulatedLog();
    private final List<Told> told = new ArrayList<>();
    private final List<List<Token>> logs = new ArrayList<>();
    private final List<Integer> cuts = new ArrayList<>();
    private final List<Integer> radices = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();
    private final Progress progress;
    private List<Token> there = new ArrayList<>();
    private int[][] places = {};
    private ChainVerifier verifier;
    private Committed committed = new Committed(0, Leaders.NONE, SavedHeads.NOTHING, 0, List.of(0, 0));
    private long now;
    private long delivered;
    private long previous = -1;
    /** Of each stream. */
    private List<Integer> knownFrom = List.of(0, 0);

    private int forgotten;
    private int noticed;
    private int life;
    private int since;
    private boolean silent;
    private boolean expired;

    Play(SmallLog small, Scenario scenario, Bounds bounds) {
        this.small = small;
        this.scenario = scenario;
        this.bounds = bounds;
        this.progress = new Progress(small);
        this.verifier = verifier(committed);
    }

    private ChainVerifier verifier(Committed from) {
        return new ChainVerifier(
                PARTITION, from.progress(), from.leaders(), from.heads(), TIMEOUTS, bounds, Optional.empty());
    }

    Play run(List<Token> tokens) {
        places = small.places(tokens);
        List<Token> coming = tokens;
        int next = 0;
        int step = 0;
        verifier.tick(now);
        for (int count = 0; ; count++) {
            while (step < scenario.steps().size()
                    && (scenario.steps().get(step).at() <= count || next == coming.size())) {
                Step one = scenario.steps().get(step++);
                if (one.kind() == Scenario.Kind.CUT) {
                    coming = cut(one, coming.subList(next, coming.size()));
                    next = 0;
                } else if (one.kind() == Scenario.Kind.EXPIRE) {
                    while (next < coming.size() && there.size() < one.to()) {
                        append(coming.get(next++));
                    }
                    expire(one.to());
                } else {
                    happens(one.kind());
                }
                settle();
            }
            if (next == coming.size()) {
                break;
            }
            append(coming.get(next++));
            deliver();
            verifier.tick(now);
            settle();
        }
        finish();
        logs.add(there);
        return this;
    }

    private void append(Token token) {
        there.add(token);
        log.append(offset -> small.record(token, places, offset));
    }

    /** Delivers what was not delivered yet. */
    private void deliver() {
        for (SimulatedLog.Entry entry : log.entries(delivered, log.endOffset())) {
            long offset = entry.record().offset();
            verifier.take(
                    new DeliveryLink(offset, previous, entry.leaderEpoch()),
                    new Read(entry.record(), entry.leaderEpoch(), LogRecord.NO_TIME, null));
            previous = offset;
            settle();
        }
        delivered = log.endOffset();
    }

    private void deliverFrom(long offset) {
        delivered = offset;
        previous = offset - 1;
    }

    // What happens

    private void happens(Scenario.Kind kind) {
        switch (kind) {
            case COMMIT -> commit();
            case CRASH -> restart(committed);
            case SILENCE -> {
                silent = true;
                silence(ROUNDS);
            }
            case RESTART -> {
                commit();
                restart(committed);
            }
            case FORGET -> {
                commit();
                int from = Math.toIntExact(committed.progress());
                forget(SavedHeads.NOTHING, List.of(from, from));
            }
            case FORGET_ONE -> {
                commit();
                long first = SmallLog.emitter(0);
                List<SavedStream> others = committed.heads().streams().stream()
                        .filter(stream -> stream.emitter() != first)
                        .toList();
                boolean knowsOther = others.size() == 1;
                int from = Math.toIntExact(committed.progress());
                forget(new SavedHeads(others, false), List.of(from, knowsOther ? knownFrom.get(1) : from));
            }
            default -> throw new AssertionError(kind);
        }
    }

    private void commit() {
        collect();
        committed = new Committed(
                verifier.progressOffset(), verifier.progressLeaders(), verifier.saved(), noticed, knownFrom);
    }

    private void restart(Committed from) {
        collect();
        open.clear();
        verifier = verifier(from);
        life++;
        since = Math.toIntExact(from.progress());
        noticed = from.noticed();
        knownFrom = from.knownFrom();
        noticeIfBefore();
        verifier.tick(now);
        deliverFrom(Math.min(Math.max(from.progress(), log.bounds().begin()), log.endOffset()));
        deliver();
    }

    private void forget(SavedHeads rest, List<Integer> from) {
        forgotten += committed.progress() > 0 ? 1 : 0;
        committed = new Committed(committed.progress(), committed.leaders(), rest, noticed, from);
        restart(committed);
    }

    private List<Token> cut(Step step, List<Token> rest) {
        collect();
        int to = Math.max(Math.min(step.to(), there.size()), (int) log.bounds().begin());
        List<Token> gone = there.subList(to, there.size());
        List<Token> coming = new ArrayList<>();
        if (step.again() == Scenario.Again.ALL) {
            coming.addAll(gone);
        } else if (step.again() == Scenario.Again.ALL_BUT_ONE) {
            coming.addAll(gone.subList(Math.min(1, gone.size()), gone.size()));
        }
        if (step.again() != Scenario.Again.NOTHING) {
            coming.addAll(rest);
        }
        logs.add(there);
        cuts.add(to);
        progress.cut(to);
        there = new ArrayList<>(there.subList(0, to));
        log.truncate(to);
        if (to < delivered) {
            deliverFrom(to);
        }
        noticeIfBefore();
        return coming;
    }

    /** Nothing of what the verifier has read was cut off. */
    private void noticeIfBefore() {
        int least = Integer.MAX_VALUE;
        for (int cut : cuts.subList(noticed, cuts.size())) {
            least = Math.min(least, cut);
        }
        if (verifier.feed().nextOffset() <= least) {
            noticed = logs.size();
        }
    }

    /** The verifier knows the log as it is now, but for what expired before it was read. */
    private void notice() {
        if (noticed < logs.size()) {
            noticed = logs.size();
            progress.missed(begin());
        }
    }

    private void expire(int to) {
        log.expireBefore(to);
        expired = true;
        if (delivered < log.bounds().begin()) {
            deliverFrom(log.bounds().begin());
        }
    }

    private void silence(int rounds) {
        for (int round = 0; round < rounds; round++) {
            now += SILENCE_MILLIS;
            verifier.tick(now);
            settle();
        }
    }

    // Questions and answers

    private void settle() {
        for (int asked = 0; asked < MOST_ANSWERS; asked++) {
            Optional<LogPiece> piece = verifier.feed().ask();
            Optional<RangeQuery> query = verifier.nextRange();
            piece.ifPresent(this::read);
            query.ifPresent(
                    one -> open.add(new Open(one, scenario.answers() == Answers.READ_EARLY ? range(one) : null)));
            if (scenario.answers() == Answers.AT_ONCE) {
                answerAll();
            }
            if (piece.isEmpty() && query.isEmpty()) {
                collect();
                return;
            }
        }
        progress.broken("asks without end");
    }

    private void read(LogPiece piece) {
        collect();
        long next = verifier.feed().nextOffset();
        try {
            verifier.feed().answer(piece, PieceReading.read(log, piece));
            int from = Math.toIntExact(verifier.feed().nextOffset());
            if (from < next) {
                since = Math.min(since, from);
                knownFrom = List.of(Math.min(knownFrom.get(0), from), Math.min(knownFrom.get(1), from));
            }
            if (from < next || !verifier.feed().isReading()) {
                notice();
            }
        } catch (ExpiredRangeException e) {
            throw new AssertionError("nothing expires meanwhile", e);
        }
    }

    private LogRange range(RangeQuery query) {
        try {
            return RangeReading.read(log, List.of(query)).get(0);
        } catch (ExpiredRangeException e) {
            throw new AssertionError("nothing expires meanwhile", e);
        }
    }

    private void answerAll() {
        while (!open.isEmpty()) {
            Open one = open.remove(which());
            LogRange read = one.read();
            verifier.answer(one.query(), read == null ? range(one.query()) : read);
        }
    }

    private int which() {
        return switch (scenario.answers()) {
            case AT_ONCE, FIRST_FIRST -> 0;
            case LAST_FIRST, READ_EARLY -> open.size() - 1;
            case CHOSEN -> {
                int turn = radices.size();
                radices.add(open.size());
                yield turn < scenario.choices().size() ? scenario.choices().get(turn) : 0;
            }
        };
    }

    private void finish() {
        answerAll();
        settle();
        long end = log.endOffset();
        for (int round = 0;
                round < MOST_ROUNDS
                        && (round < ROUNDS
                                || verifier.progressOffset() < end
                                || !verifier.undecided().isEmpty());
                round++) {
            silence(1);
            answerAll();
            settle();
        }
        if (verifier.progressOffset() != end) {
            progress.broken("progress stands");
        }
        if (!verifier.undecided().isEmpty()) {
            progress.broken("undecided for ever");
        }
        verifier.endOfLog();
        collect();
    }

    private int stream(Finding finding) {
        if (finding instanceof Verdict verdict) {
            return SmallLog.stream(verdict.interval().stream().emitter());
        }
        int offset = finding instanceof StrayRecord stray ? Math.toIntExact(stray.offset()) : Integer.MAX_VALUE;
        return offset < there.size() ? there.get(offset).stream() : 0;
    }

    private void collect() {
        for (Finding finding : verifier.drainFindings()) {
            if (finding instanceof MissedRecords missed) {
                int from = Math.toIntExact(missed.endOffset());
                knownFrom = List.of(from, from);
                noticed = logs.size();
                progress.missed(from);
            }
            told.add(new Told(finding, noticed, logs.size(), knownFrom.get(stream(finding)), life, since));
            progress.told(finding);
        }
        if (noticed == logs.size()) {
            progress.at(Math.toIntExact(verifier.progressOffset()), there);
        }
    }

    // What came of it

    List<Told> told() {
        return told;
    }

    /** The log before each cut, and at the end. */
    List<List<Token>> logs() {
        return logs;
    }

    /** Where it was cut. */
    List<Integer> cuts() {
        return cuts;
    }

    List<String> broken() {
        return progress.broken();
    }

    /** How often the verifier was started without its heads. */
    int forgotten() {
        return forgotten;
    }

    /** True if any record has expired. */
    boolean expired() {
        return expired;
    }

    /** The first offset that the log still holds. */
    int begin() {
        return Math.toIntExact(log.bounds().begin());
    }

    /** True if the time alone may have had a checkpoint accepted. */
    boolean silent() {
        return silent;
    }

    /** Among how many answers each choice was. */
    List<Integer> radices() {
        return radices;
    }
}
