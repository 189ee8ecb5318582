package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The judgements on intervals of one partition whose events an output has not handed on yet.
 *
 * <pre>
 *   log        e0 e1 #1 e2 e3 #2 b0 ~e4 #3 #b0 e5
 *   emitter e  └──────────────┴─ verified, one entry ┘└─ violated     events up to #2; then up to #3
 *   emitter b                    └──────────┴─ verified
 * </pre>
 *
 * <p>An event belongs to the first interval of its stream that ends after it and states its sequence; an interval that does not may be forged.
 * It is verified if that interval is verified, and its events, by the verdict, begin before it or at it; an earlier event is a copy. So an event
 * without a judgement is not verified, even if no alert names it. In format 1, which has no sequences, an event belongs to the next interval
 * that begins before it.
 *
 * <p>Consecutive verified intervals, up to {@value Intervals#MOST}, share an entry, so there are about as many entries as emitters and
 * violations, and not as many as intervals.
 *
 * <p>Bounded by {@value #MOST} entries: an interval without room counts as unverified. Owned by one thread.
 */
final class Judgements {
    static final int MOST = 100_000;

    /** The number of entries from which passed ones are looked for and removed. */
    private static final int FIRST_SWEEP = 1_024;

    private final PartitionId partition;
    private final AllowedEmitters allowed;
    private final int most;
    private final Map<Long, JudgedStream> streams = new HashMap<>();
    private final TreeMap<Long, StrayRecord> strays = new TreeMap<>();
    private int kept;
    private int sweepAt = FIRST_SWEEP;
    private boolean refused;

    /** The reason why a record is not verified, with the id of the alert about it, which may be empty. */
    record Unproven(String alertId, String why) {}

    /** @param allowed the emitters whose verified intervals count */
    Judgements(PartitionId partition, AllowedEmitters allowed, int most) {
        this.partition = partition;
        this.allowed = allowed;
        this.most = most;
    }

    /**
     * Takes a finding.
     *
     * @param heldFrom the first record that was not handed on
     */
    void add(Finding finding, long heldFrom) {
        if (finding instanceof StrayRecord stray && stray.lastOffset() >= heldFrom) {
            if (strays.size() < most) {
                strays.put(stray.offset(), stray);
            }
        } else if (finding instanceof Verdict verdict) {
            add(verdict, heldFrom);
        }
        if (kept + streams.size() >= sweepAt) {
            sweep(heldFrom);
        }
    }

    private void add(Verdict verdict, long heldFrom) {
        IntervalId interval = verdict.interval();
        JudgedStream stream = stream(interval.stream().emitter());
        if (verdict.revision() == Finding.OPEN_REVISION) {
            stream.unsealed = verdict;
            return;
        }
        if (stream.unsealed != null && stream.unsealed.id().equals(verdict.id())) {
            stream.unsealed = null;
        }
        boolean behind = interval.checkpointOffset() < heldFrom;
        boolean full = kept >= most && !stream.has(interval.checkpointOffset());
        refused |= full && !behind;
        if (!behind && !full) {
            kept -= stream.size();
            stream.add(Judged.of(verdict, allowed), heldFrom);
            kept += stream.size();
        }
        if (stream.isEmpty()) {
            streams.remove(interval.stream().emitter());
        }
    }

    /** Why a record that the verified progress has passed is not verified; null if it is. */
    @Nullable
    Unproven of(LogRecord record) {
        if (record instanceof Event event) {
            return of(event);
        }
        if (record instanceof UnattributedRecord stray) {
            return of(StrayRecord.of(partition, stray), stray.offset());
        }
        if (record instanceof OversizedRecords unread) {
            return of(StrayRecord.of(partition, unread), unread.firstOffset());
        }
        return null;
    }

    private @Nullable Unproven of(Event event) {
        @Nullable JudgedStream stream = streams.get(event.emitter());
        if (stream == null) {
            return unjudged();
        }
        @Nullable Judged judged = stream.firstBehind(event);
        if (judged != null) {
            if (judged.against() != null) {
                return against(judged.against());
            }
            return judged.states(event) ? null : beside(event, judged.intervals());
        }
        @Nullable Verdict unsealed = stream.unsealed;
        return unsealed == null || event.sequence() < unsealed.interval().firstSequence()
                ? unjudged()
                : against(unsealed);
    }

    /** Why an event is not verified if the first interval after it does not state it. */
    private static Unproven beside(Event event, Intervals intervals) {
        return new Unproven(
                "",
                intervals.beginAt(event) > event.offset()
                        ? "it lies before the events of the next checkpoint of its stream, which begin at offset "
                                + intervals.beginAt(event)
                        : "its sequence " + event.sequence()
                                + " is none of those that the next checkpoints of its stream state, ["
                                + intervals.firstSequence() + ", " + intervals.nextSequence() + ")");
    }

    private Unproven unjudged() {
        return new Unproven(
                "",
                refused
                        ? "more intervals wait for the output than are kept, " + most
                        : "no checkpoint of its stream states it, up to the verified progress");
    }

    private static Unproven against(Finding finding) {
        if (finding instanceof Verified) {
            return new Unproven("", "emitters.allowed does not name its emitter");
        }
        return new Unproven(finding.id(), finding.type().label() + ": " + finding.id());
    }

    /** The alert about a stray record has the id of the first one of its group. */
    private Unproven of(StrayRecord stray, long offset) {
        Map.@Nullable Entry<Long, StrayRecord> group = strays.floorEntry(offset);
        boolean inGroup = group != null
                && group.getValue().lastOffset() >= offset
                && group.getValue().kind() == stray.kind();
        return against(inGroup && group != null ? group.getValue() : stray);
    }

    /** Judgements that rest on truncated records still hold for the remaining ones. */
    void truncated(long offset) {
        strays.tailMap(offset).clear();
        kept = 0;
        for (JudgedStream stream : streams.values()) {
            stream.truncated(offset);
            kept += stream.size();
        }
    }

    /** Forgets everything but the judgements on the stream of an event; null if there is none. */
    void keep(@Nullable Event event) {
        @Nullable JudgedStream own = event == null ? null : streams.get(event.emitter());
        streams.clear();
        strays.clear();
        refused = false;
        kept = 0;
        if (event != null && own != null) {
            streams.put(event.emitter(), own);
            kept = own.size();
        }
    }

    int size() {
        return kept;
    }

    private void sweep(long heldFrom) {
        strays.values().removeIf(stray -> stray.lastOffset() < heldFrom);
        for (Iterator<JudgedStream> all = streams.values().iterator(); all.hasNext(); ) {
            JudgedStream stream = all.next();
            kept -= stream.size();
            stream.forgetBefore(heldFrom);
            kept += stream.size();
            if (stream.isEmpty()) {
                all.remove();
            }
        }
        sweepAt = Math.max(FIRST_SWEEP, 2 * (kept + streams.size()));
    }

    private JudgedStream stream(long emitter) {
        return streams.computeIfAbsent(emitter, first -> new JudgedStream());
    }
}
