package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.sim.Shipment.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everybody else who writes to the topic, or stands on the way to it: copiers, other producers, forgers, connectors. */
final class Surroundings {
    private static final int MOST_FORGED = 60;

    private final SplittableRandom random;
    private final Hazards hazards;
    private final HistoricLog log;
    private final int partition;
    private final List<Shipment> wire;
    private final Set<Shipment> theirs = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Integer> done = new TreeMap<>();
    private boolean dropping;
    /** The open transaction of another producer; 0 if there is none. Theirs are negative. */
    private int transaction;

    private int lastTransaction;
    private long nextValue = 2_000_000_000_000L;

    /** @param wire what is on its way to the log */
    Surroundings(SplittableRandom random, Hazards hazards, HistoricLog log, int partition, List<Shipment> wire) {
        this.random = random;
        this.hazards = hazards;
        this.log = log;
        this.partition = partition;
        this.wire = wire;
    }

    /** How often each of them did something. */
    Map<String, Integer> done() {
        return done;
    }

    /** Each of them may do something. */
    void act(List<Emitter> living, long nowMillis) {
        if (falls(hazards.copies())) {
            copy(log, random, null, "COPY");
        }
        if (falls(hazards.others())) {
            goOn(nowMillis);
        }
        if (falls(hazards.oversized())) {
            write(new Shipment(Kind.OVERSIZED, -1, 0, null, null));
            note("OVERSIZED");
        }
        if (falls(hazards.drops())) {
            dropping = !dropping;
        }
        if (falls(hazards.floods())) {
            flood(living, nowMillis);
        }
        if (falls(hazards.neighbours()) && !living.isEmpty()) {
            strayFromAnotherPartition(living.get(random.nextInt(living.size())).sent(), nowMillis);
        }
        for (Emitter emitter : living) {
            if (hazards.clocks() && random.nextInt(40) == 0) {
                emitter.sent().clockMillis = clock();
            }
        }
    }

    /** They end what they began, so that everything can be read. */
    void finish() {
        dropping = false;
        if (transaction != 0) {
            end(random.nextBoolean());
        }
    }

    /** True if a shipment never arrives, because something on the way drops records without a value. */
    boolean drops(Shipment shipment) {
        boolean dropped = dropping && shipment.kind() == Kind.CHECKPOINT;
        if (dropped) {
            note("CHECKPOINT_DROPPED");
        }
        return dropped;
    }

    /** True if it was written by none of the emitters. */
    boolean wrote(Shipment shipment) {
        return theirs.contains(shipment);
    }

    /** What a new emitter promises. */
    long promise(long usual) {
        if (!hazards.promises()) {
            return usual;
        }
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextLong(1, 1_000);
            case 2 -> random.nextLong(20_000, 3L * 365 * 24 * 3_600_000);
            case 3 -> Long.MAX_VALUE;
            default -> usual;
        };
    }

    /** True if a new emitter keeps what it promises. */
    boolean keepsPromises() {
        return !hazards.promises() || random.nextInt(4) > 0;
    }

    /** How far an emitter's clock is before the true time: the log's own is right to ten seconds, if it has one. */
    long clock() {
        if (!hazards.clocks()) {
            return 0;
        }
        long most = hazards.createTime() ? 3_600_000 : 9_000;
        return random.nextLong(hazards.createTime() ? -most : -3_600_000, most);
    }

    /** The time of a record: of a checkpoint when its emitter says that it made it, if producers date the records. */
    long timeOf(Shipment shipment, Optional<Format2Checkpoint> checkpoint, long clockMillis, long nowMillis) {
        if (!hazards.createTime()) {
            return nowMillis;
        }
        return checkpoint.map(Format2Checkpoint::createdAtMillis).orElse(Math.max(0, nowMillis + clockMillis));
    }

    private boolean falls(int outOfThousand) {
        return outOfThousand > 0 && random.nextInt(1_000) < outOfThousand;
    }

    private void note(String what) {
        done.merge(what, 1, Integer::sum);
    }

    private void write(Shipment shipment) {
        theirs.add(shipment);
        wire.add(shipment);
    }

    /** Somebody writes a part of another partition's log into this one; not checkpoints of format 1, which say of none where they belong. */
    void copyFrom(HistoricLog other, SplittableRandom crossing) {
        copy(other, crossing, Kind.PLAIN_CHECKPOINT, "COPY_OF_ANOTHER_PARTITION");
    }

    /** Somebody writes a part of a log once more, as it lies there: a stream or everything, behind all that is on the wire. */
    private void copy(HistoricLog from, SplittableRandom drawing, @Nullable Kind except, String what) {
        List<HistoricLog.Entry> seen = new ArrayList<>();
        from.visible(from.beginOffset(), Long.MAX_VALUE).forEach(seen::add);
        if (seen.isEmpty()) {
            return;
        }
        int begin = drawing.nextInt(seen.size());
        int end = Math.min(seen.size(), begin + drawing.nextInt(1, 40));
        long emitter = drawing.nextBoolean() ? -1 : seen.get(begin).shipment.emitter();
        boolean all = drawing.nextInt(3) == 0;
        for (HistoricLog.Entry entry : all ? seen : seen.subList(begin, end)) {
            Shipment shipment = entry.shipment;
            if ((emitter == -1 || shipment.emitter() == emitter) && shipment.kind() != except) {
                write(new Shipment(shipment.kind(), shipment.emitter(), 0, shipment.header(), shipment.value()));
            }
        }
        note(what);
    }

    /** A producer without checkpoints begins a transaction, writes in it, or ends it; much of it is never seen. */
    private void goOn(long nowMillis) {
        if (transaction == 0) {
            transaction = --lastTransaction;
            note("TRANSACTION_OF_ANOTHER");
        } else if (random.nextInt(3) > 0) {
            end(random.nextInt(3) == 0);
            return;
        }
        wire.add(new Shipment(Kind.STRANGE, -1, transaction, null, value()));
        log.skip(random.nextInt(hazards.gap()), nowMillis);
    }

    private void end(boolean commit) {
        wire.add(new Shipment(commit ? Kind.COMMIT : Kind.ABORT, -1, transaction, null, null));
        transaction = 0;
    }

    /** A forger writes many checkpoints whose predecessors are nowhere, and events of emitters that do not exist. */
    private void flood(List<Emitter> living, long nowMillis) {
        boolean ofTheLiving = !living.isEmpty() && random.nextBoolean();
        boolean events = random.nextInt(3) == 0;
        for (int i = random.nextInt(1, MOST_FORGED); i > 0; i--) {
            SentStream model =
                    ofTheLiving ? living.get(random.nextInt(living.size())).sent() : null;
            long emitter = model == null || model.isFormat1() ? random.nextLong(1, Long.MAX_VALUE) : model.id.emitter();
            long promise = model == null ? random.nextInt(2) * Long.MAX_VALUE : model.promiseMillis;
            write(events ? forgedEvent(emitter) : forgedCheckpoint(emitter, promise, nowMillis));
        }
        note("FLOOD");
    }

    private Shipment forgedEvent(long emitter) {
        byte[] value = value();
        EventHeader header = new EventHeader(
                emitter,
                random.nextLong(Long.MAX_VALUE),
                TreeHash.XXH3,
                EventSigners.SHA256_KEY_VALUE,
                new Sha256Signer().sign(null, value));
        return new Shipment(Kind.EVENT, emitter, 0, header.encode(), value);
    }

    private Shipment forgedCheckpoint(long emitter, long promiseMillis, long nowMillis) {
        byte[] hash = new byte[8];
        random.nextBytes(hash);
        Hash previous = Hash.copyOf(hash);
        int count = random.nextInt(3);
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        Format2Checkpoint forged = new Format2Checkpoint(
                new StreamId(World.TOPIC, partition, emitter),
                "forger",
                random.nextLong(1, random.nextBoolean() ? 10 : Long.MAX_VALUE),
                random.nextLong(random.nextBoolean() ? 100 : Long.MAX_VALUE - 10),
                count,
                TreeHash.XXH3,
                EventSigners.SHA256_KEY_VALUE,
                32,
                count == 0 ? interval.root() : previous,
                previous,
                random.nextLong(random.nextBoolean() ? nowMillis + 1 : Long.MAX_VALUE),
                promiseMillis,
                random.nextInt(4) == 0,
                List.of(),
                false,
                random.nextLong(-1, Math.max(1, log.rawEndOffset())),
                Optional.empty(),
                Optional.empty());
        return new Shipment(Kind.CHECKPOINT, emitter, 0, CheckpointCodec.encode(forged), null);
    }

    /**
     * Records that an emitter wrote to another partition come into this one. No run has that partition: copied there, a stream that is
     * whole and that no emitter sent would be perfect without a key.
     */
    private void strayFromAnotherPartition(SentStream model, long nowMillis) {
        if (model.isFormat1()) {
            return;
        }
        StreamId there = new StreamId(World.TOPIC, Forgery.NO_PARTITION + partition, model.id.emitter());
        Emitter other = new Emitter(new SentStream(there, model.treeHash, model.leaves, model.promiseMillis));
        List<Shipment> shipped = new ArrayList<>();
        shipped.add(other.seal(false, nowMillis, -1));
        for (int i = random.nextInt(1, 20); i > 0; i--) {
            shipped.add(other.event(nextValue++));
        }
        shipped.add(other.seal(random.nextInt(4) == 0, nowMillis, -1));
        int from = random.nextInt(shipped.size());
        shipped.subList(from, random.nextInt(from, shipped.size()) + 1).forEach(this::write);
        note("FROM_ANOTHER_PARTITION");
    }

    private byte[] value() {
        return ByteBuffer.allocate(Long.BYTES).putLong(nextValue++).array();
    }
}
