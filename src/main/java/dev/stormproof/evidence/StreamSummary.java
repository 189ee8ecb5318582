package dev.stormproof.evidence;

import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict;
import java.util.SortedSet;
import java.util.TreeSet;

/** The summary of the verdicts on one stream in a statement, in some hundred bytes. */
public final class StreamSummary {
    private final StreamId stream;
    private final CompactRange verifiedCheckpoints = CompactRange.of(TreeHash.SHA256);
    private final SortedSet<String> keys = new TreeSet<>();
    private String name = "";
    private Protection strength = Protection.TAMPERING;
    private long firstSequence = Long.MAX_VALUE;
    private long endSequence;
    private long firstCheckpoint = Long.MAX_VALUE;
    private long lastCheckpoint = -1;
    private Hash lastHash = Hash.empty();
    private long events;
    private long proven;
    private long violated;
    private long inconclusive;

    public StreamSummary(StreamId stream) {
        this.stream = stream;
    }

    /** Takes a final verdict. Verdicts must be added in the order of their checkpoints' offsets. */
    public void add(Verdict verdict) {
        IntervalId interval = verdict.interval();
        events += interval.eventCount();
        name = interval.emitterName().isEmpty() ? name : interval.emitterName();
        violated += verdict instanceof Verdict.Violated ? 1 : 0;
        inconclusive += verdict instanceof Verdict.Inconclusive ? 1 : 0;
        if (verdict instanceof Verdict.Verified) {
            addVerified(interval);
        }
    }

    private void addVerified(IntervalId interval) {
        proven += interval.eventCount();
        firstSequence = Math.min(firstSequence, interval.firstSequence());
        endSequence = Math.max(endSequence, interval.firstSequence() + interval.eventCount());
        firstCheckpoint = Math.min(firstCheckpoint, interval.number());
        lastCheckpoint = Math.max(lastCheckpoint, interval.number());
        if (interval.seal().strength() == Protection.ACCIDENTS) {
            strength = Protection.ACCIDENTS;
        }
        if (!interval.seal().keyId().isEmpty()) {
            keys.add(interval.seal().keyId());
        }
        lastHash = interval.seal().checkpointHash().sizeBytes() > 0
                ? interval.seal().checkpointHash()
                : interval.seal().root();
        verifiedCheckpoints.append(lastHash);
    }

    /** The summary as one line. */
    public String line() {
        String seen = "partition=" + stream.partition() + " emitter=" + stream.emitterHex() + " events=" + events
                + " proven=" + proven + " verified=" + verifiedCheckpoints.count() + " violated=" + violated
                + " inconclusive=" + inconclusive;
        String sealed = verifiedCheckpoints.count() == 0
                ? ""
                : " sequences=" + firstSequence + "-" + endSequence + " checkpoints=" + firstCheckpoint + "-"
                        + lastCheckpoint + " strength=" + EnumNames.of(strength) + " keys="
                        + (keys.isEmpty() ? "-" : String.join(",", keys)) + " last=" + lastHash.toHex() + " root="
                        + verifiedCheckpoints.root().toHex();
        return seen + sealed + (name.isEmpty() ? "" : " name=" + name);
    }
}
