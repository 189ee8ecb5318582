package dev.stormproof.sim;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.emit.RecoveryRig;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Emitters of one name that live at once, each of which watches the others and states the end of whoever falls silent, by the real rules.
 *
 * <pre>
 *   paused     does nothing for a while: neither writes nor beats nor reads; what it has sent arrives
 *   cut off    its network is parted from the broker: what it sends waits, it reads nothing; then all of that arrives, or it gives it up
 *   its clock  is up to an hour behind or nine seconds ahead, and goes up to a quarter too fast or too slowly; further ahead copies
 *              are verified, which is a limit of its own (docs/DETECTION.md, 31 and 32)
 * </pre>
 *
 * <p>Nobody's end may be stated while the log shows a sign of life within promise and delivery time.
 */
final class Namesakes {
    /** What all checkpoints of the simulation call their emitters. */
    private static final String NAME = "sim";

    /** For how long a record may be on its way, as each of them believes. */
    private static final long DELIVERY_MILLIS = 1_500;

    private static final double FASTEST = 1.25;
    private static final long NANOS = 1_000_000;

    private final SplittableRandom random;
    private final HistoricLog log;
    private final int partition;
    private final boolean happens;
    private final Map<Long, Member> members = new LinkedHashMap<>();
    private final IdentityHashMap<Shipment, Long> statements = new IdentityHashMap<>();
    private final Map<String, Integer> done = new TreeMap<>();

    /** An emitter, what ails it, and what it knows of the others. */
    private final class Member {
        final long id;
        final double rate = random.nextInt(75, 126) / 100.0;
        final boolean watches = random.nextInt(3) > 0;
        final RecoveryRig others;
        long nextOffset = -1;
        /** The leader epoch under which it read last. */
        int leaderEpoch;
        /** Where the log ended when it asked last. */
        long askedEnd;

        long pausedUntilMillis;
        long cutOffSinceMillis;
        long cutOffUntilMillis;

        Member(long id) {
            this.id = id;
            this.others = new RecoveryRig(World.TOPIC, partition, NAME, emitter -> emitter == id);
        }

        boolean isPaused(long nowMillis) {
            return nowMillis < pausedUntilMillis;
        }

        boolean isCutOff() {
            return cutOffUntilMillis > 0;
        }

        long nanos(long nowMillis) {
            return (long) (nowMillis * NANOS * rate);
        }
    }

    Namesakes(SplittableRandom random, HistoricLog log, int partition, boolean happens) {
        this.random = random;
        this.log = log;
        this.partition = partition;
        this.happens = happens;
    }

    Map<String, Integer> done() {
        return done;
    }

    /** What an emitter promises: less than elsewhere, so that silence is noticed in time. */
    long promiseMillis(long otherwise) {
        return happens ? random.nextLong(300, 3_000) : otherwise;
    }

    long clockMillis(long otherwise) {
        return happens ? random.nextLong(-3_600_000, 9_000) : otherwise;
    }

    boolean isPaused(Emitter emitter, long nowMillis) {
        Member member = members.get(emitter.sent().id.emitter());
        return member != null && member.isPaused(nowMillis);
    }

    /** How much of what is on the wire is not kept back. */
    int passing(List<Shipment> wire) {
        return happens
                ? (int) wire.stream().filter(shipment -> !isHeld(shipment)).count()
                : wire.size();
    }

    /** The first that is not kept back. */
    int firstPassing(List<Shipment> wire) {
        int first = 0;
        while (isHeld(wire.get(first))) {
            first++;
        }
        return first;
    }

    private boolean isHeld(Shipment shipment) {
        if (!happens) {
            return false;
        }
        Member sender = members.get(statements.getOrDefault(shipment, shipment.emitter()));
        return sender != null && sender.isCutOff();
    }

    /**
     * Something may happen to one of them, and each that can reads and states what is due.
     *
     * @param givesUp is told who gives up what it has on its way
     */
    void act(List<Emitter> living, long nowMillis, List<Shipment> wire, Consumer<Emitter> givesUp) {
        if (!happens) {
            return;
        }
        List<Emitter> all =
                living.stream().filter(emitter -> !emitter.sent().isFormat1()).toList();
        heal(all, nowMillis, givesUp);
        if (!all.isEmpty() && random.nextInt(20) == 0) {
            strike(all.get(random.nextInt(all.size())).sent(), nowMillis);
        }
        for (Emitter emitter : all) {
            Member member = memberOf(emitter.sent().id.emitter());
            if (member.watches && !member.isPaused(nowMillis) && !member.isCutOff() && random.nextInt(3) > 0) {
                watch(member, all, nowMillis, wire);
            }
        }
    }

    /** Everybody is well, and what was kept back arrives. */
    void finish() {
        members.values().forEach(member -> member.cutOffUntilMillis = 0);
    }

    private Member memberOf(long emitter) {
        return members.computeIfAbsent(emitter, Member::new);
    }

    private void strike(SentStream sent, long nowMillis) {
        Member member = memberOf(sent.id.emitter());
        long millis = random.nextLong(sent.promiseMillis / 2, 3 * (sent.promiseMillis + DELIVERY_MILLIS));
        int what = random.nextInt(3);
        if (what != 0 && !member.isCutOff()) {
            member.cutOffSinceMillis = nowMillis;
            member.cutOffUntilMillis = nowMillis + millis;
            count("CUT OFF");
        }
        if (what != 1) {
            member.pausedUntilMillis = nowMillis + millis + random.nextLong(-millis / 2, millis / 2 + 1);
            count("PAUSED");
        }
    }

    private void heal(List<Emitter> living, long nowMillis, Consumer<Emitter> givesUp) {
        for (Member member : members.values()) {
            if (!member.isCutOff() || nowMillis < member.cutOffUntilMillis) {
                continue;
            }
            member.cutOffUntilMillis = 0;
            // Not every one gives up as soon as the others take it for gone: its own time of delivery may be longer.
            if (nowMillis - member.cutOffSinceMillis > DELIVERY_MILLIS && random.nextBoolean()) {
                living.stream()
                        .filter(emitter -> emitter.sent().id.emitter() == member.id)
                        .findFirst()
                        .ifPresent(givesUp);
            }
        }
    }

    private void watch(Member member, List<Emitter> living, long nowMillis, List<Shipment> wire) {
        if (member.nextOffset < 0) {
            member.nextOffset = random.nextBoolean() ? log.beginOffset() : log.endOffset();
            member.leaderEpoch = log.leaderEpoch();
        }
        // A log that was cut is read on from there, as by Kafka's consumer (KIP-320), and one that expired from its
        // begin.
        long cut = log.endOffsetOfEpoch(member.leaderEpoch);
        long from = Math.max(log.beginOffset(), Math.min(member.nextOffset, cut));
        member.leaderEpoch = log.leaderEpoch();
        int most = random.nextInt(4) == 0 ? random.nextInt(1, 10) : Integer.MAX_VALUE;
        member.nextOffset = Math.max(from, log.endOffset());
        for (HistoricLog.Entry entry : log.visible(from, Long.MAX_VALUE)) {
            if (most-- == 0) {
                member.nextOffset = entry.offset();
                break;
            }
            Shipment shipment = entry.shipment;
            byte[] header = shipment.header();
            member.others.take(
                    entry.offset(),
                    shipment.kind() == Shipment.Kind.EVENT ? header : null,
                    shipment.kind() == Shipment.Kind.CHECKPOINT ? header : null,
                    member.nanos(nowMillis));
        }
        List<Long> due = member.others.due(
                member.nanos(nowMillis),
                DELIVERY_MILLIS * NANOS,
                member.nextOffset,
                () -> member.askedEnd = log.rawEndOffset());
        for (long emitter : due) {
            requireSilent(member, emitter, nowMillis);
            member.others
                    .state(emitter, random.nextBoolean(), nowMillis, member.nanos(nowMillis))
                    .ifPresent(end -> {
                        Shipment statement = new Shipment(Shipment.Kind.CHECKPOINT, emitter, 0, end, null);
                        statements.put(statement, member.id);
                        wire.add(statement);
                        boolean lives = living.stream()
                                .anyMatch(other -> other.sent().id.emitter() == emitter);
                        count(lives ? "ENDS OF THE LIVING" : "ENDS OF THE GONE");
                    });
        }
    }

    /**
     * Throws if what a member has to have read shows that another one lives: a sign of life, since which less has gone by than it may be
     * silent for.
     */
    private void requireSilent(Member member, long emitter, long nowMillis) {
        long promiseMillis = Long.MAX_VALUE;
        long lastSignMillis = -1;
        for (HistoricLog.Entry entry : log.branches().get(0).visibleOf(emitter)) {
            boolean read = entry.offset() < member.askedEnd && entry.offset() >= log.beginOffset();
            if (entry.record instanceof CheckpointRecord record
                    && record.checkpoint() instanceof Format2Checkpoint checkpoint) {
                // A damaged one may promise less.
                promiseMillis = Math.min(promiseMillis, checkpoint.promiseMillis());
                read &= checkpoint.emitterName().equals(NAME);
            }
            boolean sign = entry.record instanceof Event || entry.record instanceof CheckpointRecord;
            lastSignMillis = read && sign ? Math.max(lastSignMillis, entry.visibleAtMillis) : lastSignMillis;
        }
        World.require(
                lastSignMillis < 0 || nowMillis - lastSignMillis >= (promiseMillis + DELIVERY_MILLIS) / FASTEST,
                "emitter " + member.id + " takes " + emitter + " for gone, of which it can read a sign of life at "
                        + lastSignMillis + ", now " + nowMillis);
    }

    private void count(String what) {
        done.merge(what, 1, Integer::sum);
    }
}
