package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Injects faults into what is on its way to the log. */
final class Mischief {
    /** What can be done to the log's records. */
    enum Fault {
        LOSE,
        DUPLICATE,
        SWAP,
        MOVE,
        ALTER_VALUE,
        ALTER_VALUE_AND_HEADER,
        ALTER_HEADER,
        FOREIGN_EVENT,
        UNKNOWN_EMITTER,
        RECORD_OF_NO_STREAM,
        DAMAGE_EVENT_HEADER,
        LOSE_CHECKPOINT,
        REPEAT_CHECKPOINT,
        DELAY_CHECKPOINT,
        DAMAGE_CHECKPOINT,
        FORGE_ROOT,
        FORGE_LEAVES,
        FORGE_NUMBER,
        FORGE_EXTRA,
        MISPLACE_CHECKPOINT
    }

    /** The faults of events come first. */
    private static final List<Fault> FAULTS = List.of(Fault.values());

    private static final int EVENT_FAULTS = FAULTS.indexOf(Fault.DAMAGE_EVENT_HEADER) + 1;

    private static final int ALGORITHM_AT = 18;

    private final SplittableRandom random;
    private final int reach;
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private long nextValue = 1_000_000_000_000L;

    /** @param reach how far a record is moved at most, in records */
    Mischief(SplittableRandom random, int reach) {
        this.random = random;
        this.reach = reach;
    }

    /** How many faults of each kind were injected. */
    Map<Fault, Integer> done() {
        return done;
    }

    /** Does something to the shipments, if they allow it. */
    void strike(List<Shipment> wire, boolean alsoCheckpoints) {
        int most = alsoCheckpoints ? FAULTS.size() : EVENT_FAULTS;
        int drawn = random.nextInt(most);
        Fault fault = FAULTS.get(drawn);
        boolean onCheckpoint = drawn >= EVENT_FAULTS;
        boolean anywhere = fault == Fault.RECORD_OF_NO_STREAM || fault == Fault.UNKNOWN_EMITTER;
        Optional<Integer> at = anywhere
                ? Optional.of(random.nextInt(wire.size() + 1))
                : pick(wire, onCheckpoint ? Shipment::isCheckpoint : Shipment::isEvent);
        if (at.isPresent() && strike(fault, wire, at.get())) {
            done.merge(fault, 1, Integer::sum);
        }
    }

    private boolean strike(Fault fault, List<Shipment> wire, int at) {
        switch (fault) {
            case LOSE, LOSE_CHECKPOINT -> wire.remove(at);
            case DUPLICATE, REPEAT_CHECKPOINT -> wire.add(near(wire, at) + 1, wire.get(at));
            case SWAP -> {
                return swap(wire, at);
            }
            case MOVE -> {
                return move(wire, at, near(wire, at));
            }
            case ALTER_VALUE -> wire.set(at, wire.get(at).withValue(otherValue()));
            case ALTER_VALUE_AND_HEADER -> wire.set(at, signedAnew(wire.get(at), otherValue()));
            case ALTER_HEADER -> wire.set(at, withAnotherByte(wire.get(at)));
            case FOREIGN_EVENT -> wire.add(at, foreign(wire.get(at)));
            case UNKNOWN_EMITTER -> wire.add(at, unknownEmitter());
            case RECORD_OF_NO_STREAM -> wire.add(at, new Shipment(Shipment.Kind.STRANGE, -1, 0, null, otherValue()));
            case DAMAGE_EVENT_HEADER -> wire.set(at, damagedEvent(wire.get(at)));
            case DELAY_CHECKPOINT -> {
                return delay(wire, at);
            }
            case DAMAGE_CHECKPOINT -> wire.set(at, damagedCheckpoint(wire.get(at)));
            case FORGE_ROOT, FORGE_LEAVES, FORGE_NUMBER, FORGE_EXTRA, MISPLACE_CHECKPOINT -> {
                return forge(fault, wire, at);
            }
        }
        return true;
    }

    private Optional<Integer> pick(List<Shipment> wire, Predicate<Shipment> wanted) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < wire.size(); i++) {
            if (wanted.test(wire.get(i))) {
                places.add(i);
            }
        }
        return places.isEmpty() ? Optional.empty() : Optional.of(places.get(random.nextInt(places.size())));
    }

    private int near(List<Shipment> wire, int at) {
        int to = at + random.nextInt(-reach, reach + 1);
        return Math.max(0, Math.min(wire.size() - 1, to));
    }

    private boolean swap(List<Shipment> wire, int at) {
        for (int other = at + 1; other < wire.size(); other++) {
            if (wire.get(other).isEvent()
                    && wire.get(other).emitter() == wire.get(at).emitter()) {
                Shipment first = wire.get(at);
                wire.set(at, wire.get(other));
                wire.set(other, first);
                return true;
            }
        }
        return false;
    }

    private static boolean move(List<Shipment> wire, int from, int to) {
        if (from == to) {
            return false;
        }
        wire.add(to, wire.remove(from));
        return true;
    }

    /** Moves a checkpoint behind the next one of its stream, or as far as it goes. */
    private boolean delay(List<Shipment> wire, int at) {
        Shipment checkpoint = wire.get(at);
        for (int to = at + 1; to < wire.size(); to++) {
            if (wire.get(to).isCheckpoint() && wire.get(to).emitter() == checkpoint.emitter()) {
                return move(wire, at, to);
            }
        }
        return move(wire, at, Math.min(wire.size() - 1, at + 2));
    }

    private byte[] otherValue() {
        return ByteBuffer.allocate(Long.BYTES).putLong(nextValue++).array();
    }

    private static Shipment signedAnew(Shipment event, byte[] value) {
        if (event.kind() == Shipment.Kind.PLAIN_EVENT) {
            byte[] text = EventSigners.sha1().sign(null, value).toHex().getBytes(StandardCharsets.US_ASCII);
            return event.withValue(value).withHeader(text);
        }
        EventHeader header = headerOf(event);
        Hash signature = EventSigners.ofId(header.signatureAlgorithm())
                .orElse(new Sha256Signer())
                .sign(null, value);
        return event.withValue(value)
                .withHeader(new EventHeader(
                                header.emitter(),
                                header.sequence(),
                                header.treeHash(),
                                header.signatureAlgorithm(),
                                signature)
                        .encode());
    }

    /** An event that claims another sequence of the same stream. */
    private Shipment foreign(Shipment model) {
        if (model.kind() == Shipment.Kind.PLAIN_EVENT) {
            return signedAnew(model, otherValue());
        }
        EventHeader header = headerOf(model);
        long sequence = Math.max(0, header.sequence() + random.nextInt(-4, 40));
        EventHeader other = new EventHeader(
                header.emitter(), sequence, header.treeHash(), header.signatureAlgorithm(), header.signature());
        return signedAnew(model.withHeader(other.encode()), otherValue());
    }

    private Shipment unknownEmitter() {
        byte[] value = otherValue();
        EventHeader header = new EventHeader(
                random.nextLong(1, Long.MAX_VALUE),
                random.nextInt(5),
                dev.stormproof.proof.tree.TreeHash.XXH3,
                EventSigners.SHA256_KEY_VALUE,
                new Sha256Signer().sign(null, value));
        return new Shipment(Shipment.Kind.EVENT, -1, 0, header.encode(), value);
    }

    private Shipment damagedEvent(Shipment event) {
        byte[] header = event.header() == null ? new byte[0] : event.header().clone();
        if (event.kind() == Shipment.Kind.PLAIN_EVENT) {
            return event.withHeader(new byte[0]);
        }
        header[0] = (byte) random.nextInt(2, 100);
        return event.withHeader(random.nextBoolean() ? header : new byte[] {1, 2, 3});
    }

    /** An event with another byte in its header: in half of the cases, the one that names the signature algorithm. */
    private Shipment withAnotherByte(Shipment event) {
        byte[] header = bytesOf(event.header()).clone();
        if (header.length == 0) {
            return event.withHeader(new byte[] {1});
        }
        boolean algorithm = event.kind() == Shipment.Kind.EVENT && header.length > ALGORITHM_AT && random.nextBoolean();
        int at = algorithm ? ALGORITHM_AT : random.nextInt(header.length);
        header[at] ^= (byte) random.nextInt(1, 256);
        return event.withHeader(header);
    }

    private Shipment damagedCheckpoint(Shipment checkpoint) {
        if (checkpoint.kind() == Shipment.Kind.PLAIN_CHECKPOINT) {
            byte[] value = bytesOf(checkpoint.value()).clone();
            value[random.nextInt(8, value.length)] ^= (byte) (1 << random.nextInt(8));
            return checkpoint.withValue(value);
        }
        byte[] header = bytesOf(checkpoint.header()).clone();
        header[random.nextInt(header.length)] ^= (byte) (1 << random.nextInt(8));
        return checkpoint.withHeader(header);
    }

    private boolean forge(Fault fault, List<Shipment> wire, int at) {
        Shipment original = wire.get(at);
        if (original.kind() != Shipment.Kind.CHECKPOINT) {
            return false;
        }
        Format2Checkpoint genuine;
        try {
            genuine = CheckpointCodec.decode(bytesOf(original.header()));
        } catch (MalformedCheckpointException alreadyDamaged) {
            return false;
        }
        Optional<Format2Checkpoint> forged = Forgery.of(fault, genuine, random);
        forged.ifPresent(checkpoint -> {
            Shipment forgery = original.withHeader(CheckpointCodec.encode(checkpoint));
            if (fault == Fault.FORGE_EXTRA || fault == Fault.MISPLACE_CHECKPOINT) {
                wire.add(near(wire, at), forgery);
            } else {
                wire.set(at, forgery);
            }
        });
        return forged.isPresent();
    }

    private static EventHeader headerOf(Shipment event) {
        try {
            return EventHeader.decode(bytesOf(event.header()));
        } catch (MalformedCheckpointException e) {
            // Damaged before: any header will do.
            return new EventHeader(
                    event.emitter() == StreamId.NO_EMITTER ? 1 : event.emitter(),
                    0,
                    dev.stormproof.proof.tree.TreeHash.XXH3,
                    EventSigners.SHA256_KEY_VALUE,
                    Hash.copyOf(new byte[32]));
        }
    }

    private static byte[] bytesOf(byte[] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }
}
