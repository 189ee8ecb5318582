package dev.stormproof.output;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.RecoveryRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.Seal;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict;
import dev.stormproof.merkle.Hash;
import dev.stormproof.output.Judged.Chained;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The judgements on the intervals of one partition whose events an output has not handed on yet.
 *
 * <pre>
 *   log        e0 e1 #1 e2 e3 #2 b0 ~e4 #3 #b0 e5
 *   emitter e         └─────── ┴─ verified, one entry ┘└─ violated     events up to #2; then up to #3
 *   emitter b                                └─ verified
 * </pre>
 *
 * <p>An event is of the first interval of its stream that was judged behind it and states its sequence: what states it not may be
 * forged, or a recovered end. But it is not beyond the checkpoint that this one continues, whether that is judged or not, for there a copy of
 * it would be. It is verified if that interval is. So what nobody judged is not, even where no alert tells of it. Of format 1, which has no sequences, it is of the first
 * interval that states as many events as lie between it and the checkpoint, or more.
 *
 * <p>Verified intervals that follow on are one entry, up to {@value IntervalEnds#MOST} of them, so that there are about as many as emitters
 * and violations, and not as many as intervals.
 *
 * <p>Bounded by {@value #MOST} entries: of an interval that finds no room nothing is known, so that it counts as unverified. Owned by one
 * thread.
 */
final class Judgements {
    static final int MOST = 100_000;

    /** From how many entries on those that are behind the output are looked for. */
    private static final int FIRST_SWEEP = 1_024;

    private final PartitionId partition;
    private final int most;
    private final Map<Long, JudgedStream> streams = new HashMap<>();
    private final TreeMap<Long, Unattributed> strays = new TreeMap<>();
    private final Format1Places plain = new Format1Places();
    /** The last checkpoint that found no room; {@link Judged#NOWHERE} if each found some. */
    private long unnoted = Judged.NOWHERE;

    private int kept;
    private int sweepAt = FIRST_SWEEP;
    private boolean refused;
    /** There were more emitters that may not write here than are kept. */
    private boolean distrusted;

    /** The reason why a record is not verified, with the id of the alert about it; empty if there is none. */
    record Unproven(String alertId, String why) {}

    Judgements(PartitionId partition, int most) {
        this.partition = partition;
        this.most = most;
    }

    /**
     * Notes of a record, before anything that it leads to is found, what a checkpoint continues and whether its emitter may write here; of
     * an event of format 1, where it lies.
     */
    void read(LogRecord record) {
        if (record instanceof Event event && event.emitter() == StreamId.NO_EMITTER) {
            plain.add(event.offset());
            return;
        }
        @Nullable
        CheckpointRecord statement = record instanceof CheckpointRecord checkpoint
                ? checkpoint
                : record instanceof RecoveryRecord recovery ? recovery.statement() : null;
        // guard: output-of-an-unlisted-emitter-is-held
        if (statement != null && statement.unlisted()) {
            distrusted |= streams.size() >= most;
            if (!distrusted) {
                stream(statement.checkpoint().stream().emitter()).unlisted = true;
            }
        }
        if (statement != null && statement.checkpoint().stream().emitter() != StreamId.NO_EMITTER) {
            note(statement, record);
        }
    }

    private void note(CheckpointRecord statement, LogRecord record) {
        if (kept >= most) {
            unnoted = record.offset();
            return;
        }
        Hash own = record instanceof RecoveryRecord ? Hash.empty() : statement.chainHash();
        Chained chained = new Chained(statement.checkpoint().previousHash(), own);
        TreeMap<Long, Chained> unjudged = stream(statement.checkpoint().stream().emitter()).unjudged;
        kept += unjudged.put(record.offset(), chained) == null ? 1 : 0;
    }

    /**
     * Takes a finding.
     *
     * @param heldFrom the first record that was not handed on
     */
    void add(Finding finding, long heldFrom) {
        if (finding instanceof Unattributed stray && stray.lastOffset() >= heldFrom) {
            if (strays.size() < most) {
                strays.put(stray.offset(), stray);
            }
        } else if (finding instanceof Verdict verdict) {
            add(verdict, heldFrom);
        }
        plain.forgetBefore(heldFrom);
        if (kept + streams.size() >= sweepAt) {
            sweep(heldFrom);
        }
    }

    private void add(Verdict verdict, long heldFrom) {
        SealedInterval interval = verdict.interval();
        JudgedStream stream = stream(interval.stream().emitter());
        if (verdict.revision() == Finding.UNSEALED_REVISION) {
            stream.unsealed = verdict;
            return;
        }
        if (stream.unsealed != null && stream.unsealed.id().equals(verdict.id())) {
            stream.unsealed = null;
        }
        long offset = interval.checkpointOffset();
        @Nullable Chained chained = stream.unjudged.remove(offset);
        kept -= chained == null ? 0 : 1;
        if (offset < heldFrom) {
            stream.passed = interval.seal().checkpointHash();
            forgetIfEmpty(interval.stream().emitter(), stream);
            return;
        }
        boolean verified = verdict.type() == Finding.Type.VERIFIED;
        // guard: recovered-end-is-continued-by-none: interval.number()
        long number = interval.seal().recovery() == Seal.Recovery.RECOVERED ? Judged.BESIDE : interval.number();
        long continued = interval.number() - 1;
        long nextSequence = interval.firstSequence() + interval.eventCount();
        IntervalEnds ends = IntervalEnds.of(interval.firstSequence(), offset, nextSequence);
        @Nullable Judged same = stream.sealed.get(offset);
        Judged.Passed passed = same != null && verified ? same.passed() : new Judged.Passed();
        boolean known = chained != null || same != null || interval.stream().emitter() == StreamId.NO_EMITTER;
        long begin = chained != null
                ? stream.beginOf(interval, chained, unnoted)
                : same != null ? same.begin() : Judged.NOWHERE;
        Map.@Nullable Entry<Long, Judged> last = stream.sealed.lowerEntry(offset);
        @Nullable Judged before = last == null ? null : last.getValue().from(heldFrom);
        if (verified && number != Judged.BESIDE && before != null && before.isContinuedBy(interval, chained)) {
            begin = before.begin();
            continued = before.continued();
            ends = before.ends().and(offset, nextSequence);
            passed = before.passed();
            stream.sealed.remove(last.getKey());
            kept--;
        }
        // guard: interval-whose-checkpoint-found-no-room-is-held: kept >= most && same == null
        if ((verified && !known) || (kept >= most && same == null)) {
            refused = true;
            forgetIfEmpty(interval.stream().emitter(), stream);
            return;
        }
        Judged judged = new Judged(
                verified ? null : verdict,
                begin,
                continued,
                number,
                interval.seal().checkpointHash(),
                ends,
                passed);
        kept += stream.sealed.put(offset, judged) == null ? 1 : 0;
    }

    /** Notes that the output passes a record as verified. */
    void pass(LogRecord record) {
        @Nullable JudgedStream stream = record instanceof Event event ? streams.get(event.emitter()) : null;
        if (stream == null || !(record instanceof Event event)) {
            return;
        }
        for (Judged judged : stream.sealed.tailMap(event.offset(), true).values()) {
            if (judged.states(event)) {
                judged.passed().last = event.sequence();
                return;
            }
        }
    }

    /** Why a record that the verified progress has passed is not verified; null if it is. */
    @Nullable
    Unproven of(LogRecord record) {
        if (record instanceof Event event) {
            return of(event);
        }
        if (record instanceof UnattributedRecord stray) {
            return of(Unattributed.of(partition, stray), stray.offset());
        }
        if (record instanceof OversizedRecords unread) {
            return of(Unattributed.of(partition, unread), unread.firstOffset());
        }
        return null;
    }

    private @Nullable Unproven of(Event event) {
        @Nullable JudgedStream stream = streams.get(event.emitter());
        if (stream == null && !distrusted) {
            return unjudged();
        }
        if (stream == null || distrusted || stream.unlisted) {
            return new Unproven("", "emitters.allowed does not name its emitter");
        }
        if (event.emitter() == StreamId.NO_EMITTER) {
            return ofFormat1(event, stream);
        }
        Map.@Nullable Entry<Long, Judged> next = stream.sealed.ceilingEntry(event.offset());
        if (next != null && next.getValue().against() == null && next.getValue().states(event)) {
            return null;
        }
        @Nullable Unproven unproven = null;
        List<Judged> passed = new ArrayList<>(0);
        for (Judged judged : stream.sealed.tailMap(event.offset(), true).values()) {
            // guard: output-beside-its-interval-is-held: true
            if (judged.states(event)) {
                // guard: copy-before-the-checkpoint-that-is-continued-is-held: false
                if (passed.stream().anyMatch(one -> one.isBefore(judged))) {
                    break;
                }
                // guard: output-of-a-violated-interval-is-held
                if (judged.against() != null) {
                    return against(judged.against());
                }
                return null;
            }
            unproven = unproven == null ? beside(event, judged) : unproven;
            passed.add(judged);
            if (passed.size() > JudgedStream.MOST_PASSED) {
                break;
            }
        }
        if (unproven != null) {
            return unproven;
        }
        @Nullable Verdict unsealed = stream.unsealed;
        return unsealed == null || event.sequence() < unsealed.interval().firstSequence()
                ? unjudged()
                : against(unsealed);
    }

    private @Nullable Unproven ofFormat1(Event event, JudgedStream stream) {
        @Nullable Unproven unproven = null;
        int passed = 0;
        for (Map.Entry<Long, Judged> one :
                stream.sealed.tailMap(event.offset(), true).entrySet()) {
            Judged judged = one.getValue();
            // Of an interval that was cut its last event stands in the checkpoint's place.
            // guard: event-of-format-1-before-its-interval-is-held: true
            if (plain.isAmongLast(judged.count(), one.getKey() + 1, event.offset())) {
                return judged.against() == null ? null : against(judged.against());
            }
            unproven = unproven == null && judged.against() != null ? against(judged.against()) : unproven;
            if (++passed > JudgedStream.MOST_PASSED) {
                break;
            }
        }
        @Nullable Verdict unsealed = stream.unsealed;
        if (unproven != null) {
            return unproven;
        }
        return unsealed == null ? unjudged() : against(unsealed);
    }

    /** Why an event is not verified that the first judgement behind it does not state. */
    private static Unproven beside(Event event, Judged judged) {
        return judged.against() != null
                ? against(judged.against())
                : new Unproven(
                        "",
                        judged.begin() >= event.offset()
                                ? "it lies before the checkpoint that its interval continues, at offset "
                                        + judged.begin()
                                : "its sequence " + event.sequence()
                                        + " is none of those that the next checkpoints of its stream" + " state, ["
                                        + judged.ends().firstSequence() + ", "
                                        + judged.ends().nextSequence() + ")");
    }

    private Unproven unjudged() {
        return new Unproven(
                "",
                refused
                        ? "more intervals wait for the output than are kept, " + most
                        : "no checkpoint of its stream states it, up to the verified progress");
    }

    private static Unproven against(Finding finding) {
        return new Unproven(finding.id(), finding.type().label() + ": " + finding.id());
    }

    /** The alert that names a stray record is that of the first one of its group. */
    private Unproven of(Unattributed stray, long offset) {
        Map.@Nullable Entry<Long, Unattributed> group = strays.floorEntry(offset);
        boolean told = group != null
                && group.getValue().lastOffset() >= offset
                && group.getValue().kind() == stray.kind();
        return against(told && group != null ? group.getValue() : stray);
    }

    /** What was judged by records that a truncation took away holds for those that it left. */
    void truncated(long offset) {
        strays.tailMap(offset).clear();
        unnoted = Math.min(unnoted, offset - 1);
        streams.forEach((emitter, stream) -> {
            NavigableMap<Long, Chained> unread = stream.unjudged.tailMap(offset, true);
            kept -= unread.size();
            unread.clear();
            NavigableMap<Long, Judged> gone = stream.sealed.tailMap(offset, true);
            Map<Long, Judged> cut = new TreeMap<>(gone);
            kept -= gone.size();
            gone.clear();
            cut.forEach((end, judged) ->
                    keepLeft(stream, judged, emitter == StreamId.NO_EMITTER ? plain.countOf(offset, end) : 0, offset));
        });
        plain.truncated(offset);
    }

    /** Records before an offset expired unread: who verifies what is left goes by a copy of a checkpoint among them, if there is one. */
    void expired(long endOffset) {
        for (JudgedStream stream : streams.values()) {
            NavigableMap<Long, Chained> gone = stream.unjudged.headMap(endOffset, false);
            kept -= gone.size();
            // guard: interval-does-not-begin-at-a-checkpoint-that-expired
            gone.clear();
        }
    }

    /** Keeps what a cut left of verified intervals: the progress may have passed events of these, which stay what they were. */
    private void keepLeft(JudgedStream stream, Judged judged, long plainGone, long offset) {
        if (judged.against() != null || judged.begin() >= offset - 1) {
            return;
        }
        Judged left = judged.without(plainGone, offset);
        long end = left.ends().lastPlace();
        @Nullable Judged there = stream.sealed.get(end);
        // guard: cut-intervals-behind-a-recovered-end-are-kept: there == null
        if (there == null || (there.number() == Judged.BESIDE && left.number() != Judged.BESIDE)) {
            kept += stream.sealed.put(end, left) == null ? 1 : 0;
        }
    }

    /** Forgets everything but the judgements on the stream of an event; null if there is none. */
    void keep(@Nullable Event event) {
        @Nullable JudgedStream own = event == null ? null : streams.get(event.emitter());
        streams.clear();
        strays.clear();
        if (event == null || event.emitter() != StreamId.NO_EMITTER) {
            plain.clear();
        }
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
            NavigableMap<Long, Judged> behind = stream.sealed.headMap(heldFrom, false);
            if (!behind.isEmpty()) {
                stream.passed = behind.lastEntry().getValue().hash();
            }
            NavigableMap<Long, Chained> unjudged = stream.unjudged.headMap(heldFrom, false);
            kept -= behind.size() + unjudged.size();
            behind.clear();
            unjudged.clear();
            @Nullable Verdict unsealed = stream.unsealed;
            if (unsealed != null && unsealed.interval().checkpointOffset() < heldFrom) {
                stream.unsealed = null;
            }
            if (stream.isEmpty()) {
                all.remove();
            }
        }
        sweepAt = Math.max(FIRST_SWEEP, 2 * (kept + streams.size()));
    }

    private JudgedStream stream(long emitter) {
        return streams.computeIfAbsent(emitter, first -> new JudgedStream());
    }

    private void forgetIfEmpty(long emitter, JudgedStream stream) {
        if (stream.isEmpty()) {
            streams.remove(emitter);
        }
    }
}
