package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An emitter of either format, written apart from the real one. */
final class Emitter {
    private final EventSigner signer;
    private final SentStream sent;
    private State state = new State();
    private @Nullable State marked;
    private int transaction;
    private @Nullable Closing closing;
    /** True if brokers refused what the closing checkpoint leaves out. */
    private boolean refused;
    /** What each checkpoint continues, by the shipment that it is. */
    private final IdentityHashMap<Shipment, Place> places = new IdentityHashMap<>();

    /** The place of a checkpoint in the stream. */
    private record Place(long number, long firstSequence, Hash previousHash) {}

    /** What a closing checkpoint stated, and when. */
    private record Closing(
            long number,
            long firstSequence,
            List<Hash> certain,
            Hash previousHash,
            List<SequenceRange> uncertain,
            long atMillis) {}

    /** What a transaction's abort rolls back. */
    private static final class State {
        long number;
        long firstSequence;
        long sequence;
        List<Hash> open = new ArrayList<>();
        Hash previousHash = Hash.empty();
        long lastCheckpointMillis;

        State copy() {
            State copy = new State();
            copy.number = number;
            copy.firstSequence = firstSequence;
            copy.sequence = sequence;
            copy.open = new ArrayList<>(open);
            copy.previousHash = previousHash;
            copy.lastCheckpointMillis = lastCheckpointMillis;
            return copy;
        }
    }

    Emitter(SentStream sent) {
        this.sent = sent;
        this.signer = EventSigners.ofId(sent.signatureAlgorithm()).orElseGet(EventSigners::sha1);
    }

    SentStream sent() {
        return sent;
    }

    int openEvents() {
        return state.open.size();
    }

    int transaction() {
        return transaction;
    }

    long sinceCheckpointMillis(long nowMillis) {
        return nowMillis - state.lastCheckpointMillis;
    }

    void begin(int newTransaction) {
        transaction = newTransaction;
        marked = state.copy();
    }

    void committed() {
        transaction = 0;
        marked = null;
    }

    void aborted() {
        if (marked != null) {
            state = marked;
        }
        // What was rolled back is in no doubt.
        places.keySet().removeIf(shipment -> shipment.transaction() == transaction);
        committed();
        sent.signatures.subList((int) state.sequence, sent.signatures.size()).clear();
    }

    /** The next event; its value is a number, unique in the stream unless {@code value} repeats. */
    Shipment event(long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        Hash signature = signer.sign(null, bytes);
        long sequence = state.sequence++;
        if (sent.isFormat1()) {
            byte[] text = signature.toHex().getBytes(StandardCharsets.US_ASCII);
            Hash leaf = Hash.copyOf(text);
            note(leaf);
            return new Shipment(Shipment.Kind.PLAIN_EVENT, StreamId.NO_EMITTER, transaction, text, bytes);
        }
        note(signature);
        EventHeader header = new EventHeader(sent.id.emitter(), sequence, sent.treeHash, signer.id(), signature);
        return new Shipment(Shipment.Kind.EVENT, sent.id.emitter(), transaction, header.encode(), bytes);
    }

    /** Seals what is open. */
    Shipment seal(boolean closing, long nowMillis, long hint) {
        if (sent.isFormat1()) {
            return sealPlainly(nowMillis);
        }
        return ship(
                state.number, state.firstSequence, state.open, state.previousHash, List.of(), closing, nowMillis, hint);
    }

    /** Ends the stream with the last {@code count} events in doubt. */
    Shipment closeInDoubt(int count, long nowMillis) {
        int certain = state.open.size() - count;
        List<Hash> kept = new ArrayList<>(state.open.subList(0, certain));
        long begin = state.firstSequence + certain;
        List<SequenceRange> uncertain = count == 0 ? List.of() : List.of(new SequenceRange(begin, begin + count));
        return ship(state.number, state.firstSequence, kept, state.previousHash, uncertain, true, nowMillis, -1);
    }

    /** Ends the stream without some of the open events, which brokers refused. */
    Shipment closeWithout(int from, int count, long nowMillis) {
        List<Hash> kept = new ArrayList<>(state.open.subList(0, from));
        kept.addAll(state.open.subList(from + count, state.open.size()));
        long begin = state.firstSequence + from;
        refused = true;
        return ship(
                state.number,
                state.firstSequence,
                kept,
                state.previousHash,
                List.of(new SequenceRange(begin, begin + count)),
                true,
                nowMillis,
                -1);
    }

    /** Ends the stream after a commit of unknown outcome: states the transaction's first checkpoint again, all in doubt. */
    Shipment restate(long nowMillis) {
        State before = marked == null ? state : marked;
        long next = state.sequence;
        List<SequenceRange> uncertain =
                before.firstSequence < next ? List.of(new SequenceRange(before.firstSequence, next)) : List.of();
        transaction = 0;
        return ship(
                before.number, before.firstSequence, List.of(), before.previousHash, uncertain, true, nowMillis, -1);
    }

    /** True if this is a checkpoint of the stream, as it was made. */
    boolean sealed(Shipment shipment) {
        return places.containsKey(shipment);
    }

    /** Ends the stream in the place of a checkpoint, without knowing what has arrived from that on. */
    Shipment giveUp(Shipment first, long nowMillis) {
        Place place = Objects.requireNonNull(places.get(first), "not of this stream");
        long begin = place.firstSequence();
        List<SequenceRange> uncertain =
                begin < state.sequence ? List.of(new SequenceRange(begin, state.sequence)) : List.of();
        return ship(place.number(), begin, List.of(), place.previousHash(), uncertain, true, nowMillis, -1);
    }

    /** States the closing checkpoint again, as one does who cannot tell whether it arrived. */
    Shipment closeAgain(long nowMillis) {
        Closing before = Objects.requireNonNull(closing, "not closed");
        return ship(
                before.number,
                before.firstSequence,
                before.certain,
                before.previousHash,
                before.uncertain,
                true,
                Math.max(nowMillis, before.atMillis + 1),
                -1);
    }

    private void note(Hash signature) {
        sent.signatures.add(signature);
        state.open.add(signature);
    }

    private Shipment ship(
            long number,
            long firstSequence,
            List<Hash> certain,
            Hash previousHash,
            List<SequenceRange> uncertain,
            boolean closes,
            long nowMillis,
            long hint) {
        Interval interval = new Interval(sent.treeHash, firstSequence, true);
        long sequence = firstSequence;
        for (Hash signature : certain) {
            for (SequenceRange range : uncertain) {
                sequence = range.contains(sequence) ? range.end() : sequence;
            }
            interval.add(sequence++, signature);
        }
        Format2Checkpoint checkpoint = new Format2Checkpoint(
                sent.id,
                "sim",
                number,
                firstSequence,
                interval.count(),
                sent.treeHash,
                signer.id(),
                signer.sizeBytes(),
                interval.root(),
                previousHash,
                Math.max(0, nowMillis + sent.clockMillis),
                closes ? 0 : sent.promiseMillis,
                closes,
                uncertain,
                refused,
                hint,
                sent.leaves ? Optional.of(interval.leaves()) : Optional.empty(),
                Optional.empty());
        byte[] bytes = CheckpointCodec.encode(checkpoint);
        if (closes) {
            closing = new Closing(number, firstSequence, certain, previousHash, uncertain, nowMillis);
        }
        state.number = number + 1;
        state.firstSequence = checkpoint.nextSequence();
        state.sequence = state.firstSequence;
        state.open = new ArrayList<>();
        state.previousHash = CheckpointCodec.chainHash(sent.treeHash, bytes);
        state.lastCheckpointMillis = nowMillis;
        sent.chainHashes.add(state.previousHash);
        Shipment shipment = new Shipment(Shipment.Kind.CHECKPOINT, sent.id.emitter(), transaction, bytes, null);
        places.put(shipment, new Place(number, firstSequence, previousHash));
        return shipment;
    }

    private Shipment sealPlainly(long nowMillis) {
        Leaves.Builder leaves = Leaves.builder();
        state.open.forEach(leaves::append);
        Leaves built = leaves.build();
        state.firstSequence = state.sequence;
        state.open = new ArrayList<>();
        state.lastCheckpointMillis = nowMillis;
        return new Shipment(
                Shipment.Kind.PLAIN_CHECKPOINT, StreamId.NO_EMITTER, transaction, null, Format1Codec.encode(built));
    }
}
