package dev.stormproof.sim;

import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The whole system, driven by one seed: one topic of one partition or several, the tasks that verify it, and the clock.
 *
 * <pre>
 *   emitters ──wire, faults──► log ──► spout ──transport──► task ──commit──► what is committed     (a partition)
 *                               ▲                            │ audits
 *                               └────────────────────────────┘
 * </pre>
 *
 * <p>After every step the invariants are checked; at the end the disturbances stop, and everything has to be judged.
 */
final class World {
    static final String TOPIC = "orders";

    private static final boolean TRACED = Boolean.getBoolean("trace");

    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(2_000, 5_000, 30_000);
    private static final Bounds TIGHT = new Bounds(2, 8, 3, 1_000_000);

    private static final int QUIET_ROUNDS = 30;
    private static final int MAX_QUIET_ROUNDS = 120;
    /** How often outputs may stand in the end, beside once at each record. */
    private static final int MOST_RELEASES = 500;

    /** One run in four has its tracker at the source: spout and bolt are one, and nothing is lost between them. */
    private final boolean atSource;

    /** In one of three, the transform cannot stand every event: the output halts, and is released. */
    private final boolean fragile;

    private final Optional<HeldBack.Settings> held;
    private final SplittableRandom random;
    private final Hazards hazards;
    private final Profile profile;
    private final Neighbourhood neighbourhood;
    private final Bounds bounds;
    private final List<Partition> partitions = new ArrayList<>();
    private final Tasks tasks;
    private final Outcome outcome = new Outcome();
    private final List<String> trace = new ArrayList<>();
    private long nowMillis = 1_000;

    World(long seed) {
        this(seed, true, isHeldBack(seed));
    }

    private static final long REFUSING = 0xAD99712L;
    private static final long RETURNING = 0x13D43DCA0A5A7E38L;

    /** In one run of six, replicas that were away since a cut come back. None of the seeds that had broken before is among them. */
    static boolean bringsBack(long seed) {
        return new SplittableRandom(seed ^ RETURNING).nextInt(6) == 0;
    }

    /** In one run of six, brokers refuse events. None of the seeds that had broken before is among them. */
    static boolean refuses(long seed) {
        return new SplittableRandom(seed ^ REFUSING).nextInt(6) == 0;
    }

    /** In one run of six, outputs are held back until their input is verified. None of the seeds that had broken before is among them. */
    static boolean isHeldBack(long seed) {
        return new SplittableRandom(seed ^ 0x4E1EF38CL).nextInt(6) == 0;
    }

    /**
     * @param far true if what belongs together may lie far apart
     * @param holds true if the outputs are held back until their input is verified
     */
    World(long seed, boolean far, boolean holds) {
        this.random = new SplittableRandom(seed);
        this.atSource = new SplittableRandom(~seed).nextInt(4) == 0;
        this.fragile = new SplittableRandom(seed ^ 0xF4A611EL).nextInt(3) == 0;
        this.profile = Profile.of(random);
        // Draws what the hazards do, so that the others stay as they are.
        SplittableRandom hazard = new SplittableRandom(seed ^ 0x5EEDC0B1E5L);
        Hazards around = Hazards.of(hazard);
        // In one run of eight; the others stay as they are.
        SplittableRandom distance = new SplittableRandom(seed ^ 0xFA2A9A27L);
        Hazards apart = distance.nextInt(8) == 0 && far ? around.farApart(distance) : around;
        SplittableRandom size = new SplittableRandom(seed ^ 0x70B16L);
        Hazards unread = size.nextInt(8) == 0 ? apart.withOversized(size.nextInt(5, 60)) : apart;
        SplittableRandom doubt = new SplittableRandom(seed ^ 0x61E5B9L);
        Hazards doubtful = doubt.nextInt(6) == 0 ? unread.withGivingUp(doubt.nextInt(20, 100)) : unread;
        Hazards refused = refuses(seed) ? doubtful.withRefusals() : doubtful;
        this.hazards = bringsBack(seed)
                ? refused.withReturns(new SplittableRandom(~seed ^ RETURNING).nextInt(20, 80))
                : refused;
        this.neighbourhood = Neighbourhood.of(new SplittableRandom(seed ^ 0x9A2717105L));
        this.bounds = profile.tight() ? TIGHT : Bounds.DEFAULT;
        List<Upstream.EmitterSettings> emitters = new ArrayList<>();
        for (int number = 0; number < neighbourhood.partitions(); number++) {
            partitions.add(new Partition(number, random, profile, hazard, hazards, emitters, TIMEOUTS));
        }
        Verification.Settings settings = new Verification.Settings(
                TIMEOUTS,
                bounds,
                fragile,
                holds ? Optional.of(HeldBack.Settings.of(new SplittableRandom(seed ^ 0x4E1D0B7L))) : Optional.empty());
        this.held = settings.held();
        settings.held().ifPresent(holding -> partitions.forEach(partition -> partition.holdBack(holding)));
        this.tasks = new Tasks(
                partitions,
                (partition, now) -> new Verification(partition, settings, now, finding -> found(partition, finding)));
        tasks.start(partitions.get(0), nowMillis);
        partitions.forEach(Partition::newSpout);
    }

    /** Runs it to its end; throws if an invariant breaks. */
    Outcome run() {
        for (int i = 0; i < profile.steps() * neighbourhood.partitions(); i++) {
            step(neighbourhood.next(partitions));
        }
        if (hazards.deleted()) {
            delete();
            return outcome;
        }
        calmDown();
        partitions.forEach(partition -> partition.checkEnd(TIMEOUTS, bounds.streams(), outcome));
        waitInVain();
        partitions.forEach(partition -> partition.checkOwed(TIMEOUTS, outcome));
        outcome.injected(neighbourhood.done());
        return outcome;
    }

    private void step(Partition here) {
        nowMillis += random.nextInt(400) / partitions.size();
        partitions.forEach(partition -> partition.upstream().keepPromises(nowMillis));
        int what = random.nextInt(100);
        Task owner = tasks.of(here);
        if (what < 30) {
            here.upstream().emit(nowMillis);
        } else if (what < 45) {
            here.upstream().append(random.nextInt(1, 8), false, nowMillis);
        } else if (what < 60) {
            poll(here, random.nextInt(1, 8));
        } else if (what < 75) {
            deliver(here, random.nextInt(1, 8));
        } else if (what < 92) {
            audit(here, random.nextInt(1, 5));
        } else if (what < 96 && owner != null) {
            owner.tick(nowMillis);
            goOn(owner);
            if (random.nextInt(4) == 0) {
                release(owner, here);
            }
        } else {
            flush(here);
        }
        disturb(here);
        partitions.forEach(this::notePlacesOfTruncationsThatExpired);
        checkBounds();
    }

    private void disturb(Partition here) {
        here.upstream().endanger(nowMillis);
        if (random.nextInt(1_000) < profile.eventFaults()) {
            here.upstream().tamper();
        }
        if (random.nextInt(1_000) < profile.transport() && !atSource) {
            here.disturbTransport(random);
        }
        if (random.nextInt(1_000) < profile.crashes()) {
            crash(here);
        }
        if (random.nextInt(1_000) < profile.retention()) {
            expire(here);
        }
        if (random.nextInt(1_000) < profile.cuts()) {
            cut(here);
        }
        neighbourhood.copy(here, partitions);
        if (neighbourhood.rebalances()) {
            rebalance(here);
        }
        startWhatIsDown(here);
    }

    private void startWhatIsDown(Partition here) {
        if (here.spouts().isEmpty() && (!atSource || tasks.of(here) == null) && random.nextInt(5) == 0) {
            if (atSource) {
                startAtSource(here);
            } else {
                here.newSpout();
            }
        }
        if (tasks.of(here) == null && !atSource && random.nextInt(5) == 0) {
            tasks.start(here, nowMillis);
        }
        if (here.spouts().size() > 1 && random.nextInt(10) == 0) {
            here.spouts().remove(0);
        }
    }

    private void poll(Partition here, int most) {
        here.poll(random, most);
        if (atSource && !here.spouts().isEmpty()) {
            deliver(here, Integer.MAX_VALUE);
        }
    }

    private void deliver(Partition here, int most) {
        Task owner = tasks.of(here);
        Task replaced = tasks.replacedOf(here);
        for (int i = 0; i < most && !here.transport().isEmpty(); i++) {
            Spout.Tuple tuple = here.transport().remove();
            if (TRACED) {
                note(
                        here,
                        (owner == null ? "nobody takes " : "take ") + tuple.link() + " "
                                + Trace.of(tuple.entry().record));
            }
            if (owner != null) {
                owner.of(here).orElseThrow().take(tuple);
            }
            if (replaced != null && !atSource && random.nextBoolean()) {
                replaced.of(here).orElseThrow().take(tuple);
            }
        }
    }

    private void audit(Partition here, int most) {
        Task replaced = tasks.replacedOf(here);
        for (int i = 0; i < most; i++) {
            Task task = replaced != null && random.nextInt(4) == 0 ? replaced : tasks.of(here);
            if (task == null) {
                return;
            }
            Verification one = task.of(here).orElseThrow();
            switch (random.nextInt(3)) {
                case 0 -> one.takeAudit();
                case 1 -> readForAudit(one);
                default -> one.answerAudit(random);
            }
        }
    }

    /** Reads the log; retention may strike in between. */
    private void readForAudit(Verification one) {
        HistoricLog log = one.partition().log();
        if (profile.retention() > 0 && random.nextInt(10) == 0) {
            int[] reads = {random.nextInt(4)};
            log.beforeRead(() -> {
                if (reads[0]-- == 0) {
                    expire(one.partition());
                }
            });
        }
        readCounted(one);
        log.beforeRead(null);
    }

    private boolean readCounted(Verification one) {
        long before = one.partition().log().recordsRead();
        boolean read = one.readForAudit(random);
        one.partition().checkWork(one.partition().log().recordsRead() - before, outcome);
        return read;
    }

    private void flush(Partition here) {
        Task replaced = tasks.replacedOf(here);
        if (replaced != null && random.nextInt(2) == 0) {
            require(!replaced.flush(nowMillis), "a fenced task has committed");
            tasks.end(replaced);
        }
        Task owner = tasks.of(here);
        if (owner != null) {
            flush(owner);
        }
    }

    private void flush(Task owner) {
        require(owner.flush(nowMillis), "the owner cannot commit");
        for (Verification one : owner.verifications()) {
            Committed committed = one.partition().committed();
            if (TRACED) {
                note(one.partition(), "committed " + committed.progress() + " epoch " + committed.progressEpoch());
            }
            one.partition().commits().check();
            one.partition().checkHeldBack(outcome);
            outcome.noteMost("kept streams", committed.kept().streams().size());
        }
    }

    private void crash(Partition here) {
        int what = random.nextInt(5);
        note(here, "crash " + what);
        if (atSource) {
            crashAtSource(here, what >= 3);
            return;
        }
        if (what == 0 || what == 2) {
            here.spouts().clear();
        }
        if (what == 1 || what == 2) {
            tasks.crash(here);
            tasks.together(here).forEach(partition -> partition.transport().clear());
        }
        if (what == 3 && here.spouts().size() == 1) {
            here.newSpout();
        }
        if (what == 4 && tasks.of(here) != null) {
            tasks.lose(here);
            tasks.start(here, nowMillis);
        }
    }

    /** A task dies, or another one takes over from it. */
    private void crashAtSource(Partition here, boolean fenced) {
        tasks.together(here).forEach(partition -> partition.spouts().clear());
        if (fenced) {
            tasks.lose(here);
            startAtSource(here);
        } else {
            tasks.crash(here);
        }
    }

    private void startAtSource(Partition here) {
        tasks.start(here, nowMillis);
        tasks.together(here).forEach(Partition::newSpout);
    }

    private void rebalance(Partition here) {
        note(here, "rebalance");
        if (atSource) {
            partitions.forEach(partition -> partition.spouts().clear());
        }
        neighbourhood.rebalance(tasks, here, nowMillis);
        if (atSource) {
            tasks.together(here).forEach(Partition::newSpout);
        }
    }

    private void expire(Partition here) {
        HistoricLog log = here.log();
        long begin = log.beginOffset();
        long end = log.endOffset();
        if (begin < end) {
            log.expireBefore(random.nextLong(begin, end + 1));
            note(here, "log begins at " + log.beginOffset());
            notePlacesOfTruncationsThatExpired(here);
        }
    }

    private void notePlacesOfTruncationsThatExpired(Partition here) {
        long next = tasks.verificationOf(here).map(Verification::nextOffset).orElse(-1L);
        if (next >= 0 && next <= here.log().beginOffset()) {
            here.commits().placeOfTruncationsExpired(here.log().beginOffset());
        }
    }

    private void cut(Partition here) {
        long progress =
                tasks.verificationOf(here).map(Verification::progressOffset).orElse(-1L);
        if (here.cut(progress)) {
            note(here, "cut at " + here.log().rawEndOffset());
        }
    }

    /** No more disturbances: what is missing comes, and time goes by until nothing is open. */
    private void calmDown() {
        tasks.endReplaced();
        for (Partition partition : partitions) {
            partition.finish(nowMillis);
            if (tasks.of(partition) == null) {
                tasks.start(partition, nowMillis);
            }
        }
        int releases = 0;
        int mostReleases = MOST_RELEASES
                + partitions.stream()
                        .mapToInt(partition -> partition.log().size())
                        .sum();
        for (int round = 0; round < QUIET_ROUNDS || !isDone(); round++) {
            if (round >= MAX_QUIET_ROUNDS) {
                throw new AssertionError("not everything was decided in the end: " + state());
            }
            if (settle()) {
                round = 0;
                releases++;
                require(releases < mostReleases, "it stands again and again: " + state());
            }
        }
    }

    /** Nobody writes anything for longer than anybody may promise. */
    private void waitInVain() {
        nowMillis += TIMEOUTS.mostPromisedMillis() + TIMEOUTS.graceMillis();
        int releases = MOST_RELEASES;
        for (int round = 0; round < 3 || !isDone(); round++) {
            require(round < MAX_QUIET_ROUNDS, "not everything was decided behind the end: " + state());
            if (settle()) {
                round = 0;
                require(releases-- > 0, "it stands again and again behind the end: " + state());
            }
        }
    }

    /** The topic is deleted: what was read and not judged is said to have expired, and nothing is left open. */
    private void delete() {
        outcome.count("topics deleted");
        partitions.forEach(partition -> partition.log().delete());
        for (Task owner : tasks.owners()) {
            owner.verifications().forEach(Verification::abandon);
            require(owner.flush(nowMillis), "the owner cannot commit");
            owner.verifications().stream()
                    .filter(one -> one.verifier().isPresent())
                    .forEach(one -> one.partition().commits().checkDeleted(one::took));
        }
    }

    /** One second in peace; true if an output was released, so that everything is read again. */
    private boolean settle() {
        nowMillis += 1_000;
        for (Partition partition : partitions) {
            poll(partition, Integer.MAX_VALUE);
            deliver(partition, Integer.MAX_VALUE);
        }
        boolean released = false;
        for (Task owner : tasks.owners()) {
            owner.tick(nowMillis);
            released |= goOn(owner);
            for (Verification one : owner.verifications()) {
                released |= release(owner, one.partition());
            }
            do {
                for (Verification one : owner.verifications()) {
                    for (boolean busy = true; busy; ) {
                        busy = one.takeAudit() || readCounted(one) || one.answerAudit(random);
                    }
                }
                flush(owner);
            } while (owner.verifications().stream().anyMatch(Verification::isBehind));
        }
        checkBounds();
        return released;
    }

    private boolean isDone() {
        return partitions.stream()
                .allMatch(partition -> tasks.verificationOf(partition)
                        .filter(partition::isDone)
                        .isPresent());
    }

    private void checkBounds() {
        for (Task owner : tasks.owners()) {
            for (Verification one : owner.verifications()) {
                one.verifier().ifPresent(this::checkBounds);
            }
        }
    }

    private void checkBounds(ChainVerifier verifier) {
        outcome.noteMost("undecided", verifier.undecided().size());
    }

    /** Outputs go on that stand at what was verified after all. */
    private static boolean goOn(Task owner) {
        boolean any = false;
        for (Verification one : owner.verifications()) {
            if (one.goOn()) {
                one.partition().readAgain();
                any = true;
            }
        }
        return any;
    }

    private static boolean release(Task owner, Partition partition) {
        boolean released = owner.of(partition).orElseThrow().release();
        if (released) {
            partition.released();
        }
        return released;
    }

    private void found(Partition partition, Finding finding) {
        if (TRACED) {
            note(partition, "found " + finding);
        }
        partition.check(finding, nowMillis);
        outcome.found(finding);
    }

    private String state() {
        StringBuilder text = new StringBuilder();
        for (Partition partition : partitions) {
            text.append("partition ")
                    .append(partition.number())
                    .append(": ")
                    .append(tasks.verificationOf(partition)
                            .map(Verification::toString)
                            .orElse("no task"))
                    .append(", committed ")
                    .append(partition.committed().progress())
                    .append(", last ")
                    .append(partition.log().lastVisible())
                    .append("; ");
        }
        return text.toString();
    }

    /** Everything that is known, for the person who has to understand a failure. */
    String describe() {
        StringBuilder text = new StringBuilder(profile + (atSource ? " at the source" : ""))
                .append('\n')
                .append(hazards)
                .append(' ')
                .append(held)
                .append('\n')
                .append(neighbourhood)
                .append('\n');
        partitions.forEach(partition -> partition.describe(text));
        return text.append(String.join("\n", trace)).toString();
    }

    private void note(Partition partition, String what) {
        if (TRACED) {
            trace.add(nowMillis + " " + partition.number() + ": " + what);
        }
    }

    static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
