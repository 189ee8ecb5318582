package dev.stormproof.sim;

import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the topic: what is sent to it, its log, the spouts that read it, what is on its way to its task, what is committed
 * of it, and what must hold of all that.
 */
final class Partition {
    /** How often one audit may read the log: it looks up to 16 intervals back, each time for what may have been copied. */
    private static final int MOST_READINGS = 100;

    private final int number;
    private final HistoricLog log = new HistoricLog();
    private final Committed committed = new Committed();
    private final Upstream upstream;
    private final Oracle oracle;
    private final Commits commits;
    private final List<Spout> spouts = new ArrayList<>();
    private final Deque<Spout.Tuple> transport = new ArrayDeque<>();
    private final List<Spout.Tuple> late = new ArrayList<>();
    private @Nullable HeldBack heldBack;

    /**
     * @param hazard draws what the hazards do
     * @param emitters those that have a stream in each partition
     */
    Partition(
            int number,
            SplittableRandom random,
            Profile profile,
            SplittableRandom hazard,
            Hazards hazards,
            List<Upstream.EmitterSettings> emitters,
            InactivityTimeouts timeouts) {
        this.number = number;
        this.upstream = new Upstream(random, profile, hazard, hazards, log, number, emitters);
        this.oracle = new Oracle(log, upstream.streams(), timeouts, profile.tight());
        this.commits = new Commits(log, committed, oracle);
    }

    /** Has its output be held back. */
    void holdBack(HeldBack.Settings settings) {
        heldBack = new HeldBack(log, committed, settings);
    }

    /** How its output is held back; empty if it is not. */
    Optional<HeldBack> heldBack() {
        return Optional.ofNullable(heldBack);
    }

    /** Throws if a commit wrote what is to be held back. */
    void checkHeldBack(Outcome outcome) {
        heldBack().ifPresent(held -> held.check(outcome));
    }

    int number() {
        return number;
    }

    PartitionId id() {
        return new PartitionId(World.TOPIC, number);
    }

    HistoricLog log() {
        return log;
    }

    Committed committed() {
        return committed;
    }

    Upstream upstream() {
        return upstream;
    }

    Commits commits() {
        return commits;
    }

    List<Spout> spouts() {
        return spouts;
    }

    Deque<Spout.Tuple> transport() {
        return transport;
    }

    void newSpout() {
        spouts.add(new Spout(log, committed));
    }

    /** A new task begins to verify it, and knows of no streams but those that are committed. */
    void verifierBegins() {
        commits.verifierIsGone();
        if (committed.progress() >= 0) {
            oracle.verifierBegins();
        }
    }

    /** Its output goes on, and everything is read again. */
    void readAgain() {
        oracle.verifierBegins();
    }

    /** The same because somebody has released it. */
    void released() {
        heldBack().ifPresent(HeldBack::released);
        readAgain();
    }

    /** Throws if a finding about it is not true. */
    void check(Finding finding, long nowMillis) {
        if (finding.partition().partition() != number) {
            throw new AssertionError(finding + " is none of " + id());
        }
        oracle.check(finding, nowMillis);
    }

    /** One of its spouts reads some records. */
    void poll(SplittableRandom random, int most) {
        if (spouts.isEmpty()) {
            return;
        }
        Spout spout = spouts.get(random.nextInt(spouts.size()));
        List<Spout.Tuple> out = new ArrayList<>();
        for (int i = 0; i < most && spout.poll(out); i++) {}
        transport.addAll(out);
    }

    /** Tuples vanish, are late, or come again. */
    void disturbTransport(SplittableRandom random) {
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

    /** An unclean election, unless a transaction is open; false if there was none. */
    boolean cut(long progressOffset) {
        int before = upstream.cuts();
        upstream.cut();
        if (upstream.cuts() == before) {
            return false;
        }
        spouts.forEach(spout -> spout.logWasCut(log.rawEndOffset()));
        commits.logWasCut(log.partedAt(), progressOffset);
        return true;
    }

    /** What is missing comes: every emitter ends, everything reaches the log, and what is late arrives. */
    void finish(long nowMillis) {
        upstream.finish(nowMillis);
        transport.addAll(late);
        late.clear();
        if (spouts.isEmpty()) {
            newSpout();
        }
    }

    /**
     * Throws if what an audit read of the log is more than a few times its size, or once for each checkpoint: as many as there are
     * in a chain that is followed back, each of which may hint at the log's beginning.
     */
    void checkWork(long recordsRead, Outcome outcome) {
        long size = Math.max(1, log.size());
        if (recordsRead > MOST_READINGS * size) {
            long most = log.checkpoints() * size;
            World.require(recordsRead <= most, "an audit read " + recordsRead + " records, more than " + most);
        }
        outcome.noteMost("hundredths of the log read by an audit", 100 * recordsRead / size);
    }

    /** True if all that readers see is judged and committed. */
    boolean isDone(Verification verification) {
        return verification
                        .verifier()
                        .map(verifier -> verifier.undecided().isEmpty()
                                && !verifier.feed().isReading()
                                && verifier.progressOffset() >= log.lastVisible() + 1
                                && committed.progress() == verifier.progressOffset())
                        .orElse(log.next(log.beginOffset()) == null)
                // What was reported of records that were cut off lies behind the log's end.
                && (verification.ledgerSize() == 0 || log.branches().size() > 1);
    }

    /** Throws if not everything is accounted for in the end, or something is named as what it is not. */
    void checkEnd(InactivityTimeouts timeouts, int mostStreams, Outcome outcome) {
        commits.checkEnd();
        Naming naming = new Naming(log, committed, oracle, timeouts, mostStreams, outcome);
        upstream.streams().values().forEach(naming::check);
        OutputTopic.check(
                committed.output,
                log,
                entry -> heldBack().filter(held -> held.mayLack(entry)).isPresent());
        outcome.injected(upstream.mischief().done(), upstream.cuts());
        if (upstream.givenUp() > 0) {
            outcome.injected(Map.of("GIVEN UP", upstream.givenUp()));
        }
        outcome.injected(upstream.surroundings().done());
    }

    /** Throws if a checkpoint that never came is told by nobody, once everybody has been silent for long enough. */
    void checkOwed(InactivityTimeouts timeouts, Outcome outcome) {
        OwedEnds owed = new OwedEnds(log, committed, oracle, timeouts, outcome);
        upstream.streams().values().forEach(owed::check);
    }

    /** Everything that its log ever held, for the person who has to understand a failure. */
    void describe(StringBuilder text) {
        for (Branch branch : log.branches()) {
            text.append("--- log of partition ")
                    .append(number)
                    .append(" begins at ")
                    .append(log.begins())
                    .append('\n');
            for (HistoricLog.Entry entry : branch.entries()) {
                text.append(entry.visibleAtMillis)
                        .append(" e")
                        .append(entry.leaderEpoch)
                        .append(' ')
                        .append(Trace.of(entry.record))
                        .append('\n');
            }
        }
    }
}
