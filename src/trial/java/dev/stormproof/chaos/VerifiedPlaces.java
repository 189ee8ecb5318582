package dev.stormproof.chaos;

import dev.stormproof.chaos.RoundLog.Placed;
import dev.stormproof.chaos.RoundLog.Sealed;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places of a round's log that stand in its verified topic without a mark: each event of an interval whose verdict is
 * verified, and the checkpoint that sealed it.
 */
final class VerifiedPlaces {
    private final RoundLog log;
    private final Map<PartitionId, Set<Long>> checkpoints = new HashMap<>();
    private final Set<Placed> events = new HashSet<>();

    VerifiedPlaces(RoundLog log, Published verdicts) {
        this.log = log;
        verdicts.last().forEach(verdict -> add(verdict.finding()));
    }

    private void add(Finding finding) {
        if (!(finding instanceof Verified verified)) {
            return;
        }
        IntervalId interval = verified.interval();
        checkpoints
                .computeIfAbsent(partitionOf(interval.stream()), first -> new HashSet<>())
                .add(interval.checkpointOffset());
        for (long i = 0; i < interval.eventCount(); i++) {
            events.add(new Placed(interval.stream(), interval.firstSequence() + i));
        }
    }

    /** What the offsets without a mark contradict. */
    List<String> contradictions(Map<PartitionId, Set<Long>> unmarked) {
        List<String> contradictions = new ArrayList<>();
        Map<Placed, Integer> seen = new HashMap<>();
        log.places()
                .forEach((partition, places) -> places.forEach((offset, event) -> {
                    if (isIn(unmarked, partition, offset)) {
                        seen.merge(event, 1, Integer::sum);
                        if (!events.contains(event)) {
                            contradictions.add(
                                    "not verified and without a mark: " + partition + " @" + offset + " " + event);
                        }
                    }
                }));
        events.stream()
                .filter(event -> seen.getOrDefault(event, 0) != 1)
                .forEach(event -> contradictions.add(
                        "verified and " + seen.getOrDefault(event, 0) + " times without a mark: " + event));
        for (Sealed sealed : log.checkpoints()) {
            PartitionId partition = partitionOf(sealed.stream());
            if (isIn(unmarked, partition, sealed.offset()) != isIn(checkpoints, partition, sealed.offset())) {
                contradictions.add("marked against its verdict: " + sealed);
            }
        }
        log.repetitions()
                .forEach((partition, offsets) -> offsets.stream()
                        .filter(offset -> isIn(unmarked, partition, offset))
                        .forEach(offset ->
                                contradictions.add("repeated and without a mark: " + partition + " @" + offset)));
        return contradictions;
    }

    private static PartitionId partitionOf(StreamId stream) {
        return new PartitionId(stream.topic(), stream.partition());
    }

    private static boolean isIn(Map<PartitionId, Set<Long>> offsets, PartitionId partition, long offset) {
        return offsets.getOrDefault(partition, Set.of()).contains(offset);
    }
}
