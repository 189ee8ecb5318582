package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.output.Judgements.Unproven;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The output of one partition, held back until its input is verified.
 *
 * <pre>
 *   the verifier's feed ──record──► own feed ──► held ──the progress has passed it──► judged ─┬─ verified ────► {@link PartitionOutput}
 *                                    ▲   │                                                    └─ not: halt, skip, mark
 *                  the log, read again ──┘ no room: what is not held is read from the log when its turn has come
 *
 *   FOLLOWING ──record, room──────────────────────────► FOLLOWING  held
 *             ──record, no room───────────────────────► READING    its place alone is kept
 *   READING   ──record────────────────────────────────► READING    the log has it
 *             ──piece: the progress has passed it─────► READING    judged at once, as far as the transaction takes it
 *             ──piece: room───────────────────────────► READING    held
 *             ──piece: the log's end was reached──────► FOLLOWING
 * </pre>
 *
 * <p>A halted output discards its buffer and further records. When the event turns out to be verified, or not in the log any more, the partition
 * is read again by a new instance, which {@linkplain #goOnFrom goes on} from the halted one. It hands on nothing before it has seen the same
 * verdict: read again, the event may at first be given up once more, and verified only later.
 *
 * <p>The verifier takes every record, however much is held here. So it always reads the checkpoint that releases held records, and no bound can
 * prevent that.
 *
 * <p>Owned by one thread.
 */
public final class HeldOutput implements LogSink {
    /** About how many bytes a record takes in memory besides its content. */
    static final int RECORD_OVERHEAD_BYTES = 250;

    /** How many released or reported alert ids are remembered; beyond that, the oldest is forgotten. */
    private static final int MOST_ALERTS = 1_000;

    private static final HeaderName MARK = new HeaderName(TransformedHeader.UNVERIFIED);
    private static final long NOWHERE = -1;
    private static final long NOTHING = Long.MAX_VALUE;

    private final PartitionOutput output;
    private final HoldBudget budget;
    private final OnViolation onViolation;
    private final Consumer<String> reports;
    private final Judgements judgements;
    private final LogFeed feed;
    private final Deque<Read> held = new ArrayDeque<>();
    private final JudgedLeaders leaders = new JudgedLeaders();
    private long heldBytes;
    private long verifiedEnd;
    private long lastOffset;
    private int lastEpoch;
    private long releasedAt = NOWHERE;
    /** The leader epoch of the released record. With another epoch, there is another record at the offset. */
    private int releasedEpoch = DeliveryLink.NO_EPOCH;
    /** The leader epoch of the last record that was handed on, at which the output may be halted. */
    private int handedOnEpoch = DeliveryLink.NO_EPOCH;

    private OnViolation releasedAs = OnViolation.HALT;
    private final Map<String, OnViolation> releasedAlerts = newestAlerts();
    private final Map<String, OnViolation> reportedAlerts = newestAlerts();
    private @Nullable Event stoppedAt;
    /** The first record that was discarded by the halted output; {@link #NOTHING} if there is none. */
    private long droppedFrom = NOTHING;
    /** The event at which the last instance was halted, and that was verified after all; null once this one knows the verdict. */
    private @Nullable Event awaited;
    /** The last instance had judgements up to here. */
    private long awaitedEnd;
    /** The latest leader epoch that the last instance saw. */
    private int awaitedEpoch = DeliveryLink.NO_EPOCH;

    private long unverified;
    private long heldSinceMillis;
    private long heldSinceOffset = NOWHERE;
    private long heldMillis;

    /**
     * @param allowed the emitters whose verified events are written
     * @param beginOffset the first offset that the verifier reads
     * @param leaderEpoch of the record before that; {@link DeliveryLink#NO_EPOCH} if unknown
     * @param budget shared by all outputs of the task
     * @param reports takes messages about records that are left out or marked, once for each alert
     */
    public HeldOutput(
            PartitionId partition,
            AllowedEmitters allowed,
            PartitionOutput output,
            long beginOffset,
            int leaderEpoch,
            int pieceRecords,
            long pieceBytes,
            HoldBudget budget,
            OnViolation onViolation,
            Consumer<String> reports) {
        this.output = output;
        this.budget = budget;
        this.onViolation = onViolation;
        this.reports = reports;
        this.judgements = new Judgements(partition, allowed, Judgements.MOST);
        this.feed = new LogFeed(
                new Behind(), beginOffset, Leaders.of(beginOffset - 1, leaderEpoch), pieceRecords, pieceBytes);
        this.verifiedEnd = beginOffset;
        this.lastOffset = beginOffset - 1;
        this.lastEpoch = leaderEpoch;
    }

    /** The feed that reads records that found no room; its queries are submitted beside those of the verifier. */
    public LogFeed feed() {
        return feed;
    }

    /** Takes over the releases from the last instance for the partition. */
    public void goOnFrom(HeldOutput before) {
        releasedAt = before.releasedAt;
        releasedEpoch = before.releasedEpoch;
        handedOnEpoch = before.handedOnEpoch;
        releasedAs = before.releasedAs;
        // Intervals overlap, so a record of another one may be released in between.
        releasedAlerts.putAll(before.releasedAlerts);
        reportedAlerts.putAll(before.reportedAlerts);
        unverified = before.unverified;
        boolean verified = before.isVerifiedAfterAll();
        awaited = verified ? before.stoppedAt : before.awaited;
        awaitedEnd = verified ? before.lastOffset + 1 : before.awaitedEnd;
        awaitedEpoch = verified ? before.lastEpoch : before.awaitedEpoch;
        before.close();
    }

    /**
     * Releases the unverified event at an offset, and the other events of its alert.
     *
     * @param leaveOut true if they are left out, false if they are written and marked
     */
    public void release(long offset, boolean leaveOut) {
        releasedAt = offset;
        releasedEpoch = handedOnEpoch;
        releasedAs = leaveOut ? OnViolation.SKIP : OnViolation.MARK;
    }

    /** Takes a finding, before {@link #verified} is called with the progress that has passed it. */
    public void found(Finding finding) {
        Event at = stoppedAt;
        judgements.add(finding, at == null ? heldFrom() : at.offset());
    }

    /** Hands on the records that the verified progress has passed, as many as fit into the transaction. */
    public void verified(long endOffset) {
        if (awaits(endOffset)) {
            return;
        }
        if (isToBeReadAgain()) {
            return;
        }
        awaited = null;
        verifiedEnd = endOffset;
        while (isBehind() && !output.isFull()) {
            Read first = held.element();
            int judged = leaders.of(first);
            if (first.leaderEpoch() > judged) {
                break;
            }
            if (first.leaderEpoch() < judged) {
                feed.truncated(first.record().offset());
                feed.readOn();
                break;
            }
            held.remove();
            use(-sizeOf(first));
            handOn(first);
        }
        dropIfStanding();
    }

    /** True if held records wait only for the next transaction. */
    public boolean isBehind() {
        Read first = held.peek();
        return first != null && first.record().offset() < verifiedEnd;
    }

    /** The first record that was not handed on, which the progress must not pass. */
    public long heldFrom() {
        if (isToBeReadAgain()) {
            return droppedFrom;
        }
        Read first = held.peek();
        return first == null ? feed.nextOffset() : first.record().offset();
    }

    /** True if the output need not be halted any more: its partition is to be read again. */
    public boolean mayGoOn() {
        return isVerifiedAfterAll() || isToBeReadAgain();
    }

    private boolean isVerifiedAfterAll() {
        return stoppedAt != null && judgements.of(stoppedAt) == null;
    }

    private boolean isToBeReadAgain() {
        return droppedFrom != NOTHING && output.standsAt().isEmpty();
    }

    /** To be called about once a second. */
    public void tick(long nowMillis) {
        // Records between a reading up to the log's end and its answer were ignored, and the next delivery may take
        // long.
        if (feed.nextOffset() <= lastOffset) {
            feed.readOn();
        }
        long from = heldFrom();
        leaders.forgetBefore(from);
        if (from != heldSinceOffset) {
            heldSinceOffset = from;
            heldSinceMillis = nowMillis;
        }
        heldMillis = held.isEmpty() ? 0 : nowMillis - heldSinceMillis;
    }

    /** The number of records in memory. */
    public int heldRecords() {
        return held.size();
    }

    /** For how long the first of them has been the first, as of the last {@link #tick}; 0 if there is none. */
    public long heldMillis() {
        return heldMillis;
    }

    /** The number of records that were left out or marked since this was made. */
    public long unverified() {
        return unverified;
    }

    /** Returns its memory to the budget. */
    public void close() {
        use(-heldBytes);
        held.clear();
    }

    @Override
    public void take(Read read) {
        long offset = read.record().offset();
        // A later leader wrote another record at a judged offset.
        if (read.leaderEpoch() > awaitedEpoch) {
            awaitedEnd = Math.min(awaitedEnd, offset);
        }
        lastEpoch = Math.max(lastEpoch, read.leaderEpoch());
        noteLeaderOf(read);
        long previous = Math.min(lastOffset, offset - 1);
        lastOffset = offset;
        feed.deliver(new DeliveryLink(offset, previous, read.leaderEpoch()), read);
    }

    @Override
    public boolean takesContent() {
        return true;
    }

    @Override
    public long truncated(long offset) {
        judgements.truncated(offset);
        leaders.truncated(offset);
        feed.truncated(offset);
        verifiedEnd = Math.min(verifiedEnd, offset);
        lastOffset = Math.min(lastOffset, offset - 1);
        awaitedEnd = Math.min(awaitedEnd, offset);
        output.truncated(offset);
        resumeIfWriting();
        return offset;
    }

    /** The verifier cannot judge expired records, so they are not held any more. */
    @Override
    public void expired(long beginOffset, long endOffset) {
        held.removeIf(read -> isMissed(read, beginOffset, endOffset));
        feed.expired(beginOffset, endOffset);
        lastOffset = Math.max(lastOffset, endOffset - 1);
        resumeIfWriting();
    }

    @Override
    public void caughtUp(long asOfMillis) {}

    /** Unbounded: the verifier never waits for this. */
    @Override
    public int room() {
        return Integer.MAX_VALUE;
    }

    /** Adds the leader of a record. If it is not the known one, another record at this offset may have been judged. */
    private void noteLeaderOf(Read read) {
        if (leaders.have(read)) {
            return;
        }
        boolean first = leaders.areUnknown();
        // The verifier reads again from a cut, and does not learn of a second cut before its position.
        judgements.truncated(read.record().offset());
        leaders.note(read);
        if (!first) {
            feed.readOn();
        }
    }

    private void handOn(Read read) {
        if (!output.writes(read)) {
            return;
        }
        handedOnEpoch = read.leaderEpoch();
        Unproven unproven = judgements.of(read.record());
        if (unproven == null) {
            // An upstream producer's own header of this name has no meaning.
            Read clean = with(read, PartitionOutput.contentOf(read).headers().without(MARK));
            output.take(clean);
            return;
        }
        OnViolation action = actionOn(read, unproven);
        if (action == OnViolation.HALT) {
            output.standBefore(read, "it is not verified: " + unproven.why());
            stoppedAt = read.record() instanceof Event event ? event : null;
            return;
        }
        unverified++;
        tell(read, unproven, action);
        if (action == OnViolation.SKIP) {
            output.leaveOut(read);
        } else {
            String text = unproven.alertId().isEmpty() ? unproven.why() : unproven.alertId();
            HeaderBytes clean = PartitionOutput.contentOf(read).headers().without(MARK);
            output.take(with(read, clean.plus(TransformedHeader.UNVERIFIED, text.getBytes(UTF_8))));
        }
    }

    private OnViolation actionOn(Read read, Unproven unproven) {
        boolean sameLeader = read.leaderEpoch() == releasedEpoch;
        if (read.record().offset() != releasedAt || !sameLeader) {
            return releasedAlerts.getOrDefault(unproven.alertId(), onViolation);
        }
        if (!unproven.alertId().isEmpty()) {
            releasedAlerts.put(unproven.alertId(), releasedAs);
        }
        return releasedAs;
    }

    private void tell(Read read, Unproven unproven, OnViolation action) {
        if (!unproven.alertId().isEmpty() && reportedAlerts.put(unproven.alertId(), action) != null) {
            return;
        }
        reports.accept("the record at offset " + read.record().offset() + " is "
                + (action == OnViolation.SKIP ? "left out of the output" : "marked in the output")
                + ", and so are those of its interval: it is not verified: " + unproven.why());
    }

    private boolean awaits(long judgedEnd) {
        return awaited != null && judgedEnd < awaitedEnd && judgements.of(awaited) != null;
    }

    /** While the output is halted, only the judgements that may end the halt are kept: later records are read again. */
    private void dropIfStanding() {
        if (output.standsAt().isPresent()) {
            drop();
            close();
            judgements.keep(stoppedAt);
        } else {
            stoppedAt = null;
        }
    }

    private void drop() {
        droppedFrom = Math.min(droppedFrom, output.standsAt().orElse(NOTHING));
    }

    private void droppedWasCut(long offset) {
        droppedFrom = droppedFrom == NOTHING ? NOTHING : Math.min(droppedFrom, offset);
    }

    private void droppedExpired(long endOffset) {
        droppedFrom = droppedFrom == NOTHING ? NOTHING : Math.max(droppedFrom, endOffset);
    }

    private void resumeIfWriting() {
        if (output.standsAt().isEmpty()) {
            stoppedAt = null;
        }
    }

    private static Map<String, OnViolation> newestAlerts() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, OnViolation> eldest) {
                return size() > MOST_ALERTS;
            }
        };
    }

    private void use(long bytes) {
        heldBytes += bytes;
        budget.use(bytes);
    }

    private boolean isMissed(Read read, long beginOffset, long endOffset) {
        boolean missed = read.record().offset() >= beginOffset && read.record().offset() < endOffset;
        use(missed ? -sizeOf(read) : 0);
        return missed;
    }

    private static long sizeOf(Read read) {
        return PartitionOutput.contentOf(read).sizeBytes() + RECORD_OVERHEAD_BYTES;
    }

    private static Read with(Read read, HeaderBytes headers) {
        RecordContent content = PartitionOutput.contentOf(read);
        return headers == content.headers()
                ? read
                : new Read(
                        read.record(),
                        read.leaderEpoch(),
                        read.timestampMillis(),
                        new RecordContent(
                                content.key(),
                                content.value(),
                                headers,
                                content.timestampMillis(),
                                content.transformed()));
    }

    /** Takes the records of the own feed. */
    private final class Behind implements LogSink {
        @Override
        public void take(Read read) {
            drop();
            if (droppedFrom != NOTHING) {
                return;
            }
            if (held.isEmpty() && read.record().offset() < verifiedEnd && read.leaderEpoch() == leaders.of(read)) {
                handOn(read);
            } else {
                held.add(read);
                use(sizeOf(read));
            }
        }

        @Override
        public boolean takesContent() {
            return true;
        }

        @Override
        public long truncated(long offset) {
            for (Read last = held.peekLast();
                    last != null && last.record().offset() >= offset;
                    last = held.peekLast()) {
                held.removeLast();
                use(-sizeOf(last));
            }
            output.truncated(offset);
            droppedWasCut(offset);
            return offset;
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            long missed = output.standsAt().orElse(feed.nextOffset());
            long read = Math.min(endOffset, lastOffset + 1);
            if (missed < read) {
                output.missed(missed, read);
            }
            if (output.standsAt().isPresent()) {
                close();
            }
            if (held.isEmpty()) {
                output.expired(beginOffset, endOffset);
            }
            droppedExpired(endOffset);
        }

        @Override
        public void caughtUp(long asOfMillis) {}

        /** Records that the progress has passed need room only in the transaction. */
        @Override
        public int room() {
            if (held.isEmpty() && feed.nextOffset() < verifiedEnd) {
                return output.room();
            }
            return budget.isUsedUp() ? 0 : Integer.MAX_VALUE;
        }
    }
}
