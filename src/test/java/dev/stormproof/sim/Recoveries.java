package dev.stormproof.sim;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Format2Checkpoint.Ending;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What other emitters state of the ends of streams, in one run of three: of those that crashed, and sometimes of one that lives and goes
 * on; of the whole end, or of a part that was read; once, or several times. Written apart from the real ones.
 */
final class Recoveries {
    /** Nobody states an end behind more missing events than that: a header may have been damaged. */
    private static final int MOST_MISSING = 1_000;

    private final SplittableRandom random;
    private final HistoricLog log;
    private final List<Emitter> crashed = new ArrayList<>();
    private final boolean happens;
    private int made;

    Recoveries(SplittableRandom random, HistoricLog log) {
        this.random = random;
        this.log = log;
        this.happens = random.nextInt(3) == 0;
    }

    int made() {
        return made;
    }

    void crashed(Emitter emitter) {
        if (happens && !emitter.sent().isFormat1()) {
            crashed.add(emitter);
        }
    }

    /** Sometimes somebody states the end of a stream. */
    Optional<Shipment> next(List<Emitter> living, long nowMillis) {
        if (!happens) {
            return Optional.empty();
        }
        int what = random.nextInt(1_000);
        if (what < 120 && !crashed.isEmpty()) {
            int which = random.nextInt(crashed.size());
            Emitter emitter = random.nextInt(4) == 0 ? crashed.get(which) : crashed.remove(which);
            return of(emitter.sent().id, nowMillis);
        }
        if (what < 125 && !living.isEmpty()) {
            return of(living.get(random.nextInt(living.size())).sent().id, nowMillis);
        }
        return Optional.empty();
    }

    private Optional<Shipment> of(StreamId stream, long nowMillis) {
        if (stream.emitter() == StreamId.NO_EMITTER) {
            return Optional.empty();
        }
        long end = random.nextInt(6) == 0 ? Math.max(0, log.endOffset() - random.nextInt(6)) : log.endOffset();
        CheckpointRecord last = null;
        List<HistoricLog.Entry> seen = new ArrayList<>();
        log.visible(log.beginOffset(), end).forEach(seen::add);
        for (HistoricLog.Entry entry : seen) {
            if (entry.record instanceof CheckpointRecord record
                    && record.checkpoint().stream().equals(stream)
                    && (last == null
                            || record.checkpoint().number() > last.checkpoint().number())) {
                last = record;
            }
        }
        if (last == null || last.checkpoint().closing()) {
            return Optional.empty();
        }
        Format2Checkpoint before = (Format2Checkpoint) last.checkpoint();
        Map<Long, Hash> found = new TreeMap<>();
        for (HistoricLog.Entry entry : seen) {
            if (entry.record instanceof Event event
                    && event.emitter() == stream.emitter()
                    && event.offset() > last.offset()
                    && event.sequence() >= before.nextSequence()
                    && event.isMadeAs(before)) {
                found.putIfAbsent(event.sequence(), event.stated());
            }
        }
        long next = found.isEmpty()
                ? before.nextSequence()
                : found.keySet().stream().max(Long::compare).orElseThrow();
        if (next > before.nextSequence() + MOST_MISSING) {
            return Optional.empty();
        }
        long hint = random.nextInt(3) > 0 ? last.offset() : -1;
        return Optional.of(shipment(before, last.chainHash(), found, hint, nowMillis));
    }

    private Shipment shipment(
            Format2Checkpoint before, Hash chainHash, Map<Long, Hash> found, long hint, long nowMillis) {
        Interval interval = new Interval(before.treeHash(), before.nextSequence(), true);
        List<SequenceRange> missing = new ArrayList<>();
        long next = before.nextSequence();
        for (Map.Entry<Long, Hash> event : found.entrySet()) {
            if (event.getKey() > next) {
                missing.add(new SequenceRange(next, event.getKey()));
            }
            interval.add(event.getKey(), event.getValue());
            next = event.getKey() + 1;
        }
        Format2Checkpoint recovered = new Format2Checkpoint(
                before.stream(),
                before.emitterName(),
                before.number() + 1,
                before.nextSequence(),
                interval.count(),
                before.treeHash(),
                before.signatureAlgorithm(),
                before.signatureSizeBytes(),
                interval.root(),
                chainHash,
                nowMillis + made++,
                0,
                Ending.RECOVERED,
                missing,
                hint,
                random.nextBoolean() ? Optional.of(interval.leaves()) : Optional.empty(),
                Optional.empty());
        return new Shipment(
                Shipment.Kind.CHECKPOINT, before.stream().emitter(), 0, CheckpointCodec.encode(recovered), null);
    }
}
