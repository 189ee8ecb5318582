package dev.stormproof.sim;

import dev.stormproof.judge.Finding;
import dev.stormproof.log.Auditor;
import dev.stormproof.verify.Bounds;
import dev.stormproof.verify.InactivityTimeouts;
import dev.stormproof.verify.PartitionVerifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the whole system, driven by one seed: emitters, log, spouts, transport, bolts, auditors and clock.
 *
 * <pre>
 *   emitters ──wire, mischief──► log ──► spout ──transport──► bolt ──commit──► broker
 *                                 ▲                            │ audits
 *                                 └────────────────────────────┘
 * </pre>
 *
 * <p>After every step the invariants are checked; at the end the disturbances stop, and everything has to be decided.
 */
final class World {
    static final String TOPIC = "orders";
    static final int PARTITION = 0;

    private static final boolean TRACED = Boolean.getBoolean("trace");

    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(2_000, 5_000, 30_000);
    private static final Bounds TIGHT = new Bounds(2, 8, 3, 1_000_000);
    /** How often one audit may read the log: it looks up to 16 intervals back, each time for what may have been copied. */
    private static final int MOST_READINGS = 100;

    private static final int QUIET_ROUNDS = 30;
    private static final int MAX_QUIET_ROUNDS = 120;

    /** One world in four has its tracker at the source: spout and bolt are one, and nothing is lost between them. */
    private final boolean atSource;

    /** In one of three, the transform cannot stand every event: the output halts, and is released. */
    private final boolean fragile;

    private final SplittableRandom random;
    /** Draws what the hazards do, so that the others stay as they are. */
    private final SplittableRandom hazard;

    private final Hazards hazards;
    private final Profile profile;
    private final HistoricLog log = new HistoricLog();
    private final Broker broker = new Broker();
    private final Upstream upstream;
    private final Oracle oracle;
    private final Commits commits;
    private final Bounds bounds;
    private final List<Spout> spouts = new ArrayList<>();
    private final Deque<Spout.Tuple> transport = new ArrayDeque<>();
    private final List<Spout.Tuple> late = new ArrayList<>();
    private final Outcome outcome = new Outcome();
    private final List<String> trace = new ArrayList<>();
    private @Nullable Bolt bolt;
    private @Nullable Bolt zombie;
    private long nowMillis = 1_000;

    World(long seed) {
        this.random = new SplittableRandom(seed);
        this.atSource = new SplittableRandom(~seed).nextInt(4) == 0;
        this.fragile = new SplittableRandom(seed ^ 0xF4A611EL).nextInt(3) == 0;
        this.profile = Profile.of(random);
        this.hazard = new SplittableRandom(seed ^ 0x5EEDC0B1E5L);
        this.hazards = Hazards.of(hazard);
        this.upstream = new Upstream(random, profile, hazard, hazards, log);
        this.oracle = new Oracle(log, upstream.streams(), TIMEOUTS, profile.tight());
        this.commits = new Commits(log, broker, oracle);
        this.bounds = profile.tight() ? TIGHT : Bounds.DEFAULT;
        this.bolt = newBolt();
        spouts.add(new Spout(log, broker));
    }

    /** Runs it to its end; throws if an invariant breaks. */
    Outcome run() {
        for (int i = 0; i < profile.steps(); i++) {
            step();
        }
        if (hazards.deleted()) {
            delete();
            return outcome;
        }
        calmDown();
        new Ending(log, broker, oracle, upstream, commits, TIMEOUTS, bounds.streams(), outcome).check();
        OutputTopic.check(broker.output, log);
        outcome.injected(upstream.mischief().done(), upstream.cuts());
        outcome.injected(upstream.surroundings().done());
        return outcome;
    }

    private void step() {
        nowMillis += random.nextInt(400);
        upstream.keepPromises(nowMillis);
        int what = random.nextInt(100);
        if (what < 30) {
            upstream.emit(nowMillis);
        } else if (what < 45) {
            upstream.append(random.nextInt(1, 8), false, nowMillis);
        } else if (what < 60) {
            poll(random.nextInt(1, 8));
        } else if (what < 75) {
            deliver(random.nextInt(1, 8));
        } else if (what < 92) {
            audit(random.nextInt(1, 5));
        } else if (what < 96 && bolt != null) {
            bolt.tick(nowMillis);
            if (random.nextInt(4) == 0) {
                release(bolt);
            }
        } else {
            flush();
        }
        disturb();
        notePlacesOfTruncationsThatExpired();
        checkBounds();
    }

    private void disturb() {
        upstream.endanger(nowMillis);
        if (random.nextInt(1_000) < profile.eventFaults()) {
            upstream.tamper();
        }
        if (random.nextInt(1_000) < profile.transport() && !atSource) {
            disturbTransport();
        }
        if (random.nextInt(1_000) < profile.crashes()) {
            crash();
        }
        if (random.nextInt(1_000) < profile.retention()) {
            expire();
        }
        if (random.nextInt(1_000) < profile.cuts()) {
            cut();
        }
        if (spouts.isEmpty() && (!atSource || bolt == null) && random.nextInt(5) == 0) {
            spouts.add(new Spout(log, broker));
            bolt = atSource ? newBolt() : bolt;
        }
        if (bolt == null && !atSource && random.nextInt(5) == 0) {
            bolt = newBolt();
        }
        if (spouts.size() > 1 && random.nextInt(10) == 0) {
            spouts.remove(0);
        }
    }

    private void poll(int most) {
        if (spouts.isEmpty()) {
            return;
        }
        Spout spout = spouts.get(random.nextInt(spouts.size()));
        List<Spout.Tuple> out = new ArrayList<>();
        for (int i = 0; i < most && spout.poll(out); i++) {}
        transport.addAll(out);
        if (atSource) {
            deliver(Integer.MAX_VALUE);
        }
    }

    private void deliver(int most) {
        for (int i = 0; i < most && !transport.isEmpty(); i++) {
            Spout.Tuple tuple = transport.remove();
            if (TRACED) {
                note((bolt == null ? "nobody takes " : "take ") + tuple.link() + " " + Trace.of(tuple.entry().record));
            }
            if (bolt != null) {
                bolt.take(tuple);
            }
            if (zombie != null && !atSource && random.nextBoolean()) {
                zombie.take(tuple);
            }
        }
    }

    private void audit(int most) {
        for (int i = 0; i < most; i++) {
            Bolt one = zombie != null && random.nextInt(4) == 0 ? zombie : bolt;
            if (one == null) {
                return;
            }
            switch (random.nextInt(3)) {
                case 0 -> one.takeAudit();
                case 1 -> readForAudit(one);
                default -> one.answerAudit(random);
            }
        }
    }

    /** Reads the log; retention may strike in between. */
    private void readForAudit(Bolt one) {
        if (profile.retention() > 0 && random.nextInt(10) == 0) {
            int[] reads = {random.nextInt(4)};
            log.beforeRead(() -> {
                if (reads[0]-- == 0) {
                    expire();
                }
            });
        }
        long before = log.recordsRead();
        one.readForAudit(random, new Auditor(log));
        log.beforeRead(null);
        checkWork(log.recordsRead() - before);
    }

    private void flush() {
        if (zombie != null && random.nextInt(2) == 0) {
            require(!zombie.flush(nowMillis), "a fenced bolt has committed");
            zombie = null;
        }
        if (bolt != null) {
            require(bolt.flush(nowMillis), "the owner cannot commit");
            bolt.verifier()
                    .ifPresent(verifier -> outcome.noteMost(
                            "promises", verifier.promises().offsets().size()));
            note("committed " + broker.progress() + " epoch " + broker.progressEpoch());
            commits.check();
        }
    }

    private void disturbTransport() {
        List<Spout.Tuple> queue = new ArrayList<>(transport);
        switch (random.nextInt(4)) {
            case 0 -> {
                int from = random.nextInt(queue.size() + 1);
                int to = Math.min(queue.size(), from + random.nextInt(1, 12));
                queue.subList(from, to).clear();
            }
            case 1 -> {
                if (!queue.isEmpty()) {
                    queue.remove(random.nextInt(queue.size()));
                }
            }
            case 2 -> {
                if (!queue.isEmpty()) {
                    late.add(queue.remove(random.nextInt(queue.size())));
                }
                if (!late.isEmpty() && random.nextBoolean()) {
                    queue.add(random.nextInt(queue.size() + 1), late.remove(random.nextInt(late.size())));
                }
            }
            default -> {
                if (!spouts.isEmpty()) {
                    queue.addAll(spouts.get(0).replay(random.nextInt(1, 15)));
                }
            }
        }
        transport.clear();
        transport.addAll(queue);
    }

    private void crash() {
        int what = random.nextInt(5);
        note("crash " + what);
        if (atSource) {
            crashAtSource(what >= 3);
            return;
        }
        if (what == 0 || what == 2) {
            spouts.clear();
        }
        if (what == 1 || what == 2) {
            bolt = null;
            transport.clear();
        }
        if (what == 3 && spouts.size() == 1) {
            spouts.add(new Spout(log, broker));
        }
        if (what == 4 && bolt != null) {
            zombie = bolt;
            bolt = newBolt();
        }
    }

    /** The one task dies, or another one takes over from it. */
    private void crashAtSource(boolean fenced) {
        spouts.clear();
        zombie = fenced && bolt != null ? bolt : zombie;
        bolt = null;
        if (fenced) {
            bolt = newBolt();
            spouts.add(new Spout(log, broker));
        }
    }

    private void expire() {
        long begin = log.beginOffset();
        long end = log.endOffset();
        if (begin < end) {
            log.expireBefore(random.nextLong(begin, end + 1));
            note("log begins at " + log.beginOffset());
            notePlacesOfTruncationsThatExpired();
        }
    }

    private void notePlacesOfTruncationsThatExpired() {
        if (bolt != null && bolt.nextOffset() >= 0 && bolt.nextOffset() <= log.beginOffset()) {
            commits.placeOfTruncationsExpired(log.beginOffset());
        }
    }

    private void cut() {
        int before = upstream.cuts();
        upstream.cut();
        if (upstream.cuts() > before) {
            spouts.forEach(spout -> spout.logWasCut(log.rawEndOffset()));
            commits.logWasCut(log.rawEndOffset(), bolt == null ? -1 : bolt.progressOffset());
            note("cut at " + log.rawEndOffset());
        }
    }

    /** No more disturbances: what is missing comes, and time goes by until nothing is open. */
    private void calmDown() {
        upstream.finish(nowMillis);
        zombie = null;
        transport.addAll(late);
        late.clear();
        if (spouts.isEmpty()) {
            spouts.add(new Spout(log, broker));
        }
        if (bolt == null) {
            bolt = newBolt();
        }
        for (int round = 0; round < QUIET_ROUNDS || !isDone(); round++) {
            if (round >= MAX_QUIET_ROUNDS) {
                throw new AssertionError("not everything was decided in the end: " + state());
            }
            if (settle()) {
                round = 0;
            }
        }
    }

    /** The topic is deleted: what was read and not decided is said to have expired, and nothing is left open. */
    private void delete() {
        outcome.count("topics deleted");
        log.delete();
        if (bolt != null && bolt.verifier().isPresent()) {
            bolt.abandon();
            require(bolt.flush(nowMillis), "the owner cannot commit");
            commits.checkDeleted(bolt::took);
        }
    }

    /** One second in peace; true if the output was released, so that everything is read again. */
    private boolean settle() {
        Bolt one = bolt;
        if (one == null) {
            throw new AssertionError("no bolt");
        }
        nowMillis += 1_000;
        poll(Integer.MAX_VALUE);
        deliver(Integer.MAX_VALUE);
        one.tick(nowMillis);
        boolean released = release(one);
        // As one job does: nothing is written or expires meanwhile.
        Auditor auditor = new Auditor(log);
        for (boolean busy = true; busy; ) {
            busy = one.takeAudit() || readCounted(one, auditor) || one.answerAudit(random);
        }
        flush();
        checkBounds();
        return released;
    }

    private boolean isDone() {
        return bolt != null
                && bolt.verifier()
                        .map(verifier -> verifier.undecided() == 0
                                && !verifier.isReading()
                                && verifier.progressOffset() >= log.lastVisible() + 1
                                && broker.progress() == verifier.progressOffset())
                        .orElse(log.next(log.beginOffset()) == null)
                // What was reported of records that were cut off lies behind the log's end.
                && (bolt.ledgerSize() == 0 || log.branches().size() > 1);
    }

    private boolean readCounted(Bolt one, Auditor auditor) {
        long before = log.recordsRead();
        boolean read = one.readForAudit(random, auditor);
        checkWork(log.recordsRead() - before);
        return read;
    }

    /** Whatever one audit asks for, it reads the log a few times at most. */
    private void checkWork(long recordsRead) {
        long most = MOST_READINGS * (long) log.size();
        require(recordsRead <= most, "an audit read " + recordsRead + " records, more than " + most);
        outcome.noteMost(
                "hundredths of the log read by an audit", 100 * recordsRead * MOST_READINGS / Math.max(1, most));
    }

    private void checkBounds() {
        if (bolt == null || bolt.verifier().isEmpty()) {
            return;
        }
        PartitionVerifier verifier = bolt.verifier().orElseThrow();
        require(verifier.streams() <= bounds.streams(), "streams " + verifier.streams());
        require(verifier.waitingAudits() <= bounds.audits(), "audits " + verifier.waitingAudits());
        outcome.noteMost("undecided", verifier.undecided());
    }

    private boolean release(Bolt one) {
        boolean released = one.release();
        if (released) {
            oracle.verifierBegins();
        }
        return released;
    }

    private Bolt newBolt() {
        commits.boltIsGone();
        if (broker.progress() >= 0) {
            oracle.verifierBegins();
        }
        return new Bolt(log, broker, TIMEOUTS, bounds, fragile, nowMillis, this::found);
    }

    private void found(Finding finding) {
        if (TRACED) {
            note("found " + finding);
        }
        oracle.check(finding, nowMillis);
        outcome.found(finding);
    }

    private String state() {
        String verifier = bolt == null
                ? "no bolt"
                : bolt.verifier()
                        .map(one -> "undecided " + one.undecided() + ", reading " + one.isReading() + ", progress "
                                + one.progressOffset())
                        .orElse("no verifier");
        return verifier + ", committed " + broker.progress() + ", last " + log.lastVisible() + ", ledger "
                + (bolt == null ? 0 : bolt.ledgerSize());
    }

    /** Everything that is known, for the person who has to understand a failure. */
    String describe() {
        StringBuilder text = new StringBuilder(profile + (atSource ? " at the source" : ""))
                .append('\n')
                .append(hazards)
                .append('\n');
        for (var branch : log.branches()) {
            text.append("--- log begins at ").append(log.begins()).append('\n');
            for (HistoricLog.Entry entry : branch.entries()) {
                text.append(entry.visibleAtMillis)
                        .append(" e")
                        .append(entry.leaderEpoch)
                        .append(' ');
                text.append(Trace.of(entry.record)).append('\n');
            }
        }
        return text.append(String.join("\n", trace)).toString();
    }

    private void note(String what) {
        if (TRACED) {
            trace.add(nowMillis + " " + what);
        }
    }

    static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
