package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.TreeHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Upstream: emitters that come, write, and go one way or another; the wire to the log; and the mischief on it. */
final class Upstream {
    private static final long SAME_VALUE = Long.MAX_VALUE;
    private static final long VALUES_OF_A_PARTITION = 100_000_000_000L;

    /** What an emitter's streams in all partitions have in common. */
    record EmitterSettings(long id, TreeHash treeHash, boolean leaves, long promiseMillis) {}

    private final SplittableRandom random;
    private final Profile profile;
    private final HistoricLog log;
    private final int partition;
    private final List<EmitterSettings> emitters;
    private final Mischief mischief;
    private final LogRecordParser parser = new LogRecordParser(
            Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
    private final Map<Long, SentStream> streams = new LinkedHashMap<>();
    private final Map<Long, Long> lastCheckpointOffset = new HashMap<>();
    private final List<Emitter> living = new ArrayList<>();
    private final List<Shipment> wire = new ArrayList<>();
    private int newEmitters;
    private long nextValue;
    private int nextTransaction = 1;
    private int cuts;
    private int givenUp;
    private final Surroundings surroundings;
    private final SplittableRandom doubt;
    private final int givingUp;
    private final boolean refuses;
    private final int returns;
    private final SplittableRandom returning;

    /**
     * @param partition the partition that they write to
     * @param emitters the emitters that write to other partitions, too; new ones are added
     */
    Upstream(
            SplittableRandom random,
            Profile profile,
            SplittableRandom hazard,
            Hazards hazards,
            HistoricLog log,
            int partition,
            List<EmitterSettings> emitters) {
        this.random = random;
        this.profile = profile;
        this.log = log;
        this.partition = partition;
        this.emitters = emitters;
        this.nextValue = partition * VALUES_OF_A_PARTITION;
        this.mischief = new Mischief(random, profile.reach());
        this.givingUp = hazards.givingUp();
        this.refuses = hazards.refuses();
        // The hazards of the other runs stay as they are.
        this.doubt = givingUp == 0 ? hazard : hazard.split();
        this.surroundings = new Surroundings(hazard, hazards, log, partition, wire);
        this.returns = hazards.returns();
        this.returning = new SplittableRandom(partition);
        if (profile.format1()) {
            living.add(new Emitter(
                    sent(new StreamId(World.TOPIC, partition, StreamId.NO_EMITTER), TreeHash.ADLER32, true, 0)));
        }
    }

    /** What every emitter sent, by emitter. */
    Map<Long, SentStream> streams() {
        return streams;
    }

    Mischief mischief() {
        return mischief;
    }

    int cuts() {
        return cuts;
    }

    /** How many emitters gave up checkpoints that were on their way. */
    int givenUp() {
        return givenUp;
    }

    /** Keeps the promises of the living. */
    void keepPromises(long nowMillis) {
        for (Emitter emitter : living) {
            if (!emitter.sent().isFormat1()
                    && emitter.sent().keepsPromises
                    && emitter.sent().promiseMillis > 0
                    && emitter.sinceCheckpointMillis(nowMillis) > emitter.sent().promiseMillis / 2) {
                seal(emitter, false, nowMillis);
            }
        }
    }

    /** One emitter does something. */
    void emit(long nowMillis) {
        if (living.size() < profile.emitters() && (living.isEmpty() || random.nextInt(8) == 0)) {
            living.add(newEmitter());
            seal(living.get(living.size() - 1), false, nowMillis);
            return;
        }
        Emitter emitter = living.get(random.nextInt(living.size()));
        int what = random.nextInt(100);
        if ((emitter.openEvents() >= profile.intervalEvents() || what < 8) && canSeal(emitter)) {
            seal(emitter, false, nowMillis);
        } else if (what < 20 && profile.transactions()) {
            transact(emitter, nowMillis);
        } else if (what < 25 && !emitter.sent().isFormat1()) {
            leave(emitter, nowMillis);
        } else {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                boolean again = random.nextInt(20) == 0 && !emitter.sent().isFormat1();
                wire.add(emitter.event(again ? SAME_VALUE : nextValue++));
            }
        }
    }

    /** Tampers with what is on the wire. */
    void tamper() {
        for (int i = random.nextInt(6) == 0 ? random.nextInt(2, 6) : 1; i > 0 && !wire.isEmpty(); i--) {
            mischief.strike(wire, profile.checkpointFaults());
        }
    }

    /** Everybody else may do something to the log. */
    void endanger(long nowMillis) {
        surroundings.act(living, nowMillis);
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** Appends what has been longest on the wire; keeps some of it back unless {@code all}. */
    void append(int most, boolean all, long nowMillis) {
        int kept = all ? 0 : 2 * profile.reach();
        for (int i = 0; i < most && wire.size() > kept; i++) {
            Shipment shipment = wire.remove(0);
            if (shipment.isMarker()) {
                log.endTransaction(shipment.transaction(), shipment.kind() == Shipment.Kind.COMMIT, nowMillis);
                continue;
            }
            if (surroundings.drops(shipment)) {
                continue;
            }
            LogRecord record = read(shipment);
            if (record instanceof CheckpointRecord && !surroundings.wrote(shipment)) {
                lastCheckpointOffset.put(shipment.emitter(), record.offset());
            }
            log.append(shipment, record, timeOf(shipment, record, nowMillis), nowMillis);
        }
    }

    /** A shipment as it is read once it lies at the log's end. */
    private LogRecord read(Shipment shipment) {
        long offset = log.rawEndOffset();
        return shipment.kind() == Shipment.Kind.OVERSIZED
                ? new OversizedRecords(offset, offset, 1, "too large", LogRecord.NO_TIME)
                : parser.parse(
                        World.TOPIC,
                        partition,
                        offset,
                        LogRecord.NO_TIME,
                        null,
                        shipment.value(),
                        name -> name.equals(shipment.kind().headerName) ? shipment.header() : null,
                        null);
    }

    /** An unclean election; some producers send again what was cut off. */
    void cut() {
        if (log.hasOpenTransactions()) {
            return;
        }
        cuts++;
        long place = Math.max(log.beginOffset(), log.endOffset() - random.nextInt(1, 25));
        List<HistoricLog.Entry> gone = returning.nextInt(100) < returns && log.replicas() > 0
                ? log.comeBack(returning.nextInt(Math.max(0, log.replicas() - 3), log.replicas()))
                : log.cut(place);
        boolean again = random.nextBoolean();
        int at = 0;
        for (HistoricLog.Entry entry : gone) {
            if (again && !entry.aborted) {
                Shipment shipment = entry.shipment;
                wire.add(
                        at++,
                        new Shipment(shipment.kind(), shipment.emitter(), 0, shipment.header(), shipment.value()));
            }
        }
    }

    /** Every emitter ends, and everything reaches the log. */
    void finish(long nowMillis) {
        surroundings.finish();
        for (Emitter emitter : List.copyOf(living)) {
            if (emitter.transaction() != 0) {
                end(emitter, true);
            }
            if (emitter.sent().isFormat1()) {
                while (emitter.openEvents() == 1) {
                    wire.add(emitter.event(nextValue++));
                }
                if (emitter.openEvents() > 0) {
                    seal(emitter, false, nowMillis);
                }
            } else if (random.nextInt(4) > 0) {
                seal(emitter, true, nowMillis);
            }
        }
        living.clear();
        append(Integer.MAX_VALUE, true, nowMillis);
    }

    private long timeOf(Shipment shipment, LogRecord record, long nowMillis) {
        SentStream sent = streams.get(shipment.emitter());
        Optional<Format2Checkpoint> checkpoint =
                record instanceof CheckpointRecord sealed && sealed.checkpoint() instanceof Format2Checkpoint format2
                        ? Optional.of(format2)
                        : Optional.empty();
        return surroundings.timeOf(shipment, checkpoint, sent == null ? 0 : sent.clockMillis, nowMillis);
    }

    private static boolean canSeal(Emitter emitter) {
        return !emitter.sent().isFormat1() || emitter.openEvents() >= 2;
    }

    private Emitter newEmitter() {
        EmitterSettings drawn = new EmitterSettings(
                random.nextLong(1, Long.MAX_VALUE),
                random.nextInt(4) == 0 ? TreeHash.SHA256 : TreeHash.XXH3,
                random.nextInt(4) > 0,
                surroundings.promise(random.nextInt(4_000, 20_000)));
        if (newEmitters == emitters.size()) {
            emitters.add(drawn);
        }
        EmitterSettings one = emitters.get(newEmitters++);
        return new Emitter(sent(
                new StreamId(World.TOPIC, partition, one.id()), one.treeHash(), one.leaves(), one.promiseMillis()));
    }

    private SentStream sent(StreamId id, TreeHash treeHash, boolean leaves, long promiseMillis) {
        SentStream sent = new SentStream(id, treeHash, leaves, promiseMillis);
        sent.keepsPromises = surroundings.keepsPromises();
        sent.clockMillis = surroundings.clock();
        streams.put(id.emitter(), sent);
        return sent;
    }

    private void seal(Emitter emitter, boolean closing, long nowMillis) {
        long known = lastCheckpointOffset.getOrDefault(emitter.sent().id.emitter(), -1L);
        int what = random.nextInt(10);
        long hint = what < 6 ? known : what < 8 ? -1 : Math.min(random.nextInt(200), log.rawEndOffset() - 1);
        wire.add(emitter.seal(closing, nowMillis, hint));
    }

    private void transact(Emitter emitter, long nowMillis) {
        if (emitter.transaction() == 0) {
            emitter.begin(nextTransaction++);
        } else if (random.nextInt(12) == 0 && !emitter.sent().isFormat1()) {
            int transaction = emitter.transaction();
            Shipment.Kind outcome = random.nextBoolean() ? Shipment.Kind.COMMIT : Shipment.Kind.ABORT;
            wire.add(new Shipment(outcome, emitter.sent().id.emitter(), transaction, null, null));
            wire.add(emitter.restate(nowMillis));
            living.remove(emitter);
        } else {
            boolean commit = random.nextInt(3) > 0;
            if (commit && canSeal(emitter)) {
                seal(emitter, false, nowMillis);
            }
            end(emitter, commit);
        }
    }

    private void end(Emitter emitter, boolean commit) {
        Shipment.Kind outcome = commit ? Shipment.Kind.COMMIT : Shipment.Kind.ABORT;
        wire.add(new Shipment(outcome, emitter.sent().id.emitter(), emitter.transaction(), null, null));
        if (commit) {
            emitter.committed();
        } else {
            emitter.aborted();
        }
    }

    /** An emitter closes its stream, or crashes, or closes it without knowing what arrived. */
    private void leave(Emitter emitter, long nowMillis) {
        int how = random.nextInt(3);
        if (emitter.transaction() != 0) {
            end(emitter, how == 0);
        }
        living.remove(emitter);
        if (givingUp > 0 && doubt.nextInt(100) < givingUp) {
            giveUp(emitter, nowMillis);
            return;
        }
        if (how == 0) {
            seal(emitter, true, nowMillis);
        } else if (how == 1) {
            loseFromTheEnd(emitter, random.nextInt(4), true);
        } else if (!refuses || !refuse(emitter, nowMillis)) {
            int doubtful = random.nextInt(emitter.openEvents() + 1);
            loseFromTheEnd(emitter, doubtful, false);
            wire.add(emitter.closeInDoubt(doubtful, nowMillis));
        }
        if (how != 1 && random.nextInt(4) == 0) {
            closeAgain(emitter, nowMillis);
        }
    }

    /**
     * Brokers refuse some of the events since the last checkpoint that are on their way; in one of four, after an attempt that was appended.
     *
     * @return false if there are none
     */
    @SuppressWarnings("ReferenceEquality") // Two shipments may be alike.
    private boolean refuse(Emitter emitter, long nowMillis) {
        List<Shipment> sent = new ArrayList<>();
        for (Shipment shipment : wire) {
            if (shipment.emitter() == emitter.sent().id.emitter()) {
                if (shipment.isEvent() && shipment.transaction() == 0) {
                    sent.add(shipment);
                } else {
                    sent.clear();
                }
            }
        }
        int open = emitter.openEvents();
        if (sent.isEmpty() || sent.size() > open) {
            return false;
        }
        SplittableRandom refusing = new SplittableRandom(emitter.sent().id.emitter());
        int count = refusing.nextInt(1, sent.size() + 1);
        int from = refusing.nextInt(sent.size() - count + 1);
        if (refusing.nextInt(4) > 0) {
            List<Shipment> refused = sent.subList(from, from + count);
            wire.removeIf(shipment -> refused.stream().anyMatch(one -> one == shipment));
        }
        wire.add(emitter.closeWithout(open - sent.size() + from, count, nowMillis));
        return true;
    }

    /**
     * An emitter gives up what it has on its way, and ends the stream with the number of the first checkpoint among that. Some of it
     * arrives all the same.
     */
    @SuppressWarnings("ReferenceEquality") // Two shipments may be alike.
    private void giveUp(Emitter emitter, long nowMillis) {
        List<Shipment> given = wire.stream()
                .filter(shipment -> emitter.sealed(shipment) && !surroundings.wrote(shipment))
                .limit(1)
                .toList();
        if (given.isEmpty()) {
            wire.add(emitter.closeInDoubt(0, nowMillis));
            return;
        }
        int arriving = doubt.nextInt(101);
        boolean since = false;
        for (Shipment shipment : List.copyOf(wire)) {
            since |= shipment == given.get(0);
            boolean own = shipment.emitter() == emitter.sent().id.emitter() && !shipment.isMarker();
            // Events before the first checkpoint in doubt belong to it, too.
            if (own && (since || shipment.isEvent()) && doubt.nextInt(100) >= arriving) {
                wire.removeIf(other -> other == shipment);
            }
        }
        givenUp++;
        wire.add(emitter.giveUp(given.get(0), nowMillis));
        if (doubt.nextInt(4) == 0) {
            // Up to three times; drawn from the clock, so that earlier seeds play on as they did.
            for (long again = nowMillis % 3; again >= 0; again--) {
                wire.add(emitter.closeAgain(nowMillis));
            }
        }
    }

    /** An emitter cannot tell whether its closing checkpoint arrived, and states it again, maybe twice. */
    private void closeAgain(Emitter emitter, long nowMillis) {
        for (int i = random.nextInt(1, 3); i > 0; i--) {
            if (random.nextBoolean()) {
                wire.remove(wire.size() - 1);
            }
            wire.add(emitter.closeAgain(nowMillis));
        }
    }

    /** The last records of an emitter never reach the log: all of {@code count}, or some of them. */
    private void loseFromTheEnd(Emitter emitter, int count, boolean all) {
        int left = count;
        for (int i = wire.size() - 1; i >= 0 && left > 0; i--) {
            Shipment shipment = wire.get(i);
            if (shipment.emitter() == emitter.sent().id.emitter()
                    && !shipment.isMarker()
                    && (all || shipment.isEvent())) {
                left--;
                if (all || random.nextBoolean()) {
                    wire.remove(i);
                }
            }
        }
    }
}
