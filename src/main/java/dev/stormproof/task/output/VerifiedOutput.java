package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.output.Verdicts.Unproven;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.PieceAsker;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The output of one partition that trails the verdicts: its verified topic.
 *
 * <pre>
 *   log   ──────────────┼──── read again ────┼───────────────────►
 *                     next         the verified progress
 *
 *   READING  ──progress──────────────────────────► READING  a piece of [next, progress) is read
 *            ──record, proven────────────────────► READING  {@link PartitionOutput} takes it
 *            ──record, not proven: skip, mark────► READING  it is left out, or marked
 *            ──record, not proven: halt──────────► STANDS   and so it does for all reasons of {@link PartitionOutput}
 *            ──record of another leader than the
 *              verifier read, or full────────────► READING  from there, after the next tick or commit
 *            ──truncated at c────────────────────► READING  from c, if that is less
 *            ──verdicts are missing──────────────► STALE    the partition has to be verified again from next
 *   STANDS   ──released, or verified after all───► READING  from what is written; STALE if verdicts of that are forgotten
 * </pre>
 *
 * <p>It keeps {@link Verdicts} and no record. The verifier, whose sink this is, waits for nothing here, so that it always reads the checkpoint
 * that the progress waits for.
 *
 * <p>Owned by one thread.
 */
public final class VerifiedOutput implements LogSink, PieceAsker {
    /** How many verified intervals of a partition are remembered. */
    public static final int MOST_VERDICTS = 100_000;

    /** How many released or reported alert ids are remembered; beyond that, the oldest is forgotten. */
    private static final int MOST_ALERTS = 1_000;

    private static final HeaderName MARK = new HeaderName(TransformedHeader.UNVERIFIED);
    private static final long NOWHERE = -1;

    private final PartitionOutput output;
    private final OnViolation onViolation;
    private final Consumer<String> reports;
    private final Bounds bounds;
    private final Verdicts verdicts;
    /** The leaders whose records the verifier read, by where each began to write, from {@link #forgottenBefore} on. */
    private final TreeMap<Long, Integer> leaders = new TreeMap<>();

    private final Map<String, OnViolation> released = newestAlerts();
    private final Map<String, OnViolation> reported = newestAlerts();
    private long next;
    private long verifiedEnd;
    private long readEnd;
    private @Nullable LogPiece asked;
    /** True until the next tick if the log is another one than the verifier read. */
    private boolean waits;

    private long nextAtLastTick;
    /** How far the last instance came: the verifier may begin before that. */
    private long againFrom;

    private long forgottenBefore;
    private @Nullable LogRecord stoppedAt;
    private long releasedAt = NOWHERE;
    private OnViolation releasedAs = OnViolation.HALT;
    private long unverified;
    private long trailsSinceMillis;
    private long trailsSinceOffset = NOWHERE;
    private long trailsMillis;

    /**
     * @param allowed the emitters whose verified events are written
     * @param beginOffset the first offset that the verifier reads
     * @param mostVerdicts how many verified intervals are remembered
     * @param reports takes messages about records that are left out or marked, once for each alert
     */
    public VerifiedOutput(
            PartitionId partition,
            AllowedEmitters allowed,
            PartitionOutput output,
            long beginOffset,
            Bounds bounds,
            int mostVerdicts,
            OnViolation onViolation,
            Consumer<String> reports) {
        this.output = output;
        this.onViolation = onViolation;
        this.reports = reports;
        this.bounds = bounds;
        this.verdicts = new Verdicts(partition, allowed, mostVerdicts);
        this.next = beginOffset;
        this.verifiedEnd = beginOffset;
        this.readEnd = beginOffset;
        this.nextAtLastTick = beginOffset;
        this.forgottenBefore = beginOffset;
    }

    /** Takes over from the last instance for the partition what was released and reported. */
    public void goOnFrom(VerifiedOutput before) {
        released.putAll(before.released);
        reported.putAll(before.reported);
        releasedAt = before.releasedAt;
        releasedAs = before.releasedAs;
        unverified = before.unverified;
        againFrom = before.next;
    }

    /**
     * Releases the unverified record at an offset, and the others of its alert.
     *
     * @param leaveOut true if they are left out, false if they are written and marked
     */
    public void release(long offset, boolean leaveOut) {
        releasedAt = offset;
        releasedAs = leaveOut ? OnViolation.SKIP : OnViolation.MARK;
        output.retry();
    }

    /** Takes a finding, before {@link #verified} is called with the progress that has passed it. */
    public void found(Finding finding) {
        verdicts.add(finding, Math.max(next, againFrom));
    }

    /** Takes the verified progress. */
    public void verified(long endOffset) {
        verifiedEnd = endOffset;
    }

    /** True if the output is halted at a record that was verified after all, or the partition has to be verified again. */
    public boolean mayGoOn() {
        LogRecord at = stoppedAt;
        boolean stands = output.standsAt().isPresent();
        return stands ? at != null && verdicts.of(at) == null : verdicts.knownBefore() <= next && next < verifiedEnd;
    }

    /** Continues after what is written; false if the partition has to be verified again for that. */
    public boolean goOn() {
        long from = Math.min(next, output.written().endOffset());
        boolean stale = output.standsAt().isEmpty();
        if (stale || from < forgottenBefore) {
            return false;
        }
        output.resume();
        stoppedAt = null;
        continueAt(from);
        return true;
    }

    private void continueAt(long offset) {
        next = offset;
        nextAtLastTick = Math.min(nextAtLastTick, offset);
        asked = null;
    }

    /** The first offset of which nothing was handed on, which the committed progress must not pass. */
    public long nextOffset() {
        return next;
    }

    /** True if there is more to be read, and nothing else is waited for than the next transaction. */
    public boolean isBehind() {
        return !waits && next < end() && output.standsAt().isEmpty();
    }

    private long end() {
        return Math.min(verifiedEnd, verdicts.knownBefore());
    }

    /** The next piece to read; empty if none is needed, or one is being read. */
    public Optional<LogPiece> ask() {
        if (!isBehind() || asked != null || !hasRoom()) {
            return Optional.empty();
        }
        int records = (int) Math.min(bounds.pieceRecords(), end() - next);
        LogPiece piece = new LogPiece(next, DeliveryLink.NO_EPOCH, records, bounds.pieceBytes(), true);
        asked = piece;
        return Optional.of(piece);
    }

    private boolean hasRoom() {
        return !output.isFull() && output.room() > 0;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // An equal piece may have been asked for before the log changed.
    public void answer(LogPiece piece, LogPiece.Found found) {
        if (piece != asked) {
            return;
        }
        asked = null;
        expireUpTo(Math.min(found.beginOffset(), verifiedEnd));
        for (Read read : found.records()) {
            if (read.record().offset() >= end()) {
                next = end();
                return;
            }
            if (!hasRoom()) {
                return;
            }
            if (!isOfJudgedLog(read)) {
                waits = true;
                return;
            }
            handOn(read);
            if (output.standsAt().isPresent()) {
                return;
            }
            next = read.record().offset() + 1;
        }
        long readable = found.end().map(LogPiece.End::readable).orElse(next);
        next = Math.max(next, Math.min(readable, end()));
    }

    /** What the progress has passed expired before it was read here. */
    private void expireUpTo(long offset) {
        if (next < offset) {
            output.missed(next, offset);
            output.expired(next, offset);
            next = offset;
        }
    }

    private boolean isOfJudgedLog(Read read) {
        Map.Entry<Long, Integer> judged = leaders.floorEntry(PartitionOutput.firstOf(read.record()));
        return judged != null && judged.getValue() == read.leaderEpoch();
    }

    private void handOn(Read read) {
        if (!output.writes(read)) {
            return;
        }
        Unproven unproven = verdicts.of(read.record());
        // An upstream producer's own header of this name has no meaning.
        HeaderBytes clean = PartitionOutput.contentOf(read).headers().without(MARK);
        if (unproven == null) {
            output.take(with(read, clean));
            return;
        }
        OnViolation action = actionOn(read.record(), unproven);
        if (action == OnViolation.HALT) {
            output.standBefore(read, "it is not verified: " + unproven.why());
            stoppedAt = read.record();
            return;
        }
        if (action == OnViolation.SKIP) {
            output.leaveOut(read);
        } else {
            String text = unproven.alertId().isEmpty() ? unproven.why() : unproven.alertId();
            output.take(with(read, clean.plus(TransformedHeader.UNVERIFIED, text.getBytes(UTF_8))));
        }
        if (output.standsAt().isEmpty()) {
            unverified++;
            report(read, unproven, action);
        }
    }

    private OnViolation actionOn(LogRecord record, Unproven unproven) {
        if (PartitionOutput.firstOf(record) != releasedAt) {
            return released.getOrDefault(unproven.alertId(), onViolation);
        }
        if (!unproven.alertId().isEmpty()) {
            released.put(unproven.alertId(), releasedAs);
        }
        return releasedAs;
    }

    private void report(Read read, Unproven unproven, OnViolation action) {
        if (!unproven.alertId().isEmpty() && reported.put(unproven.alertId(), action) != null) {
            return;
        }
        reports.accept("the record at offset " + read.record().offset() + " is "
                + (action == OnViolation.SKIP ? "left out of the output" : "marked in the output")
                + ", and so are those of its interval: it is not verified: " + unproven.why());
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

    private static Map<String, OnViolation> newestAlerts() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, OnViolation> eldest) {
                return size() > MOST_ALERTS;
            }
        };
    }

    /** To be called about once a second, and not while a transaction is to be repeated: what was handed on before the last call is committed. */
    public void tick(long nowMillis) {
        waits = false;
        forgottenBefore = Math.max(forgottenBefore, nextAtLastTick);
        nextAtLastTick = next;
        verdicts.forgetBefore(forgottenBefore);
        Long leader = leaders.floorKey(forgottenBefore);
        if (leader != null) {
            leaders.headMap(leader, false).clear();
        }
        if (next != trailsSinceOffset) {
            trailsSinceOffset = next;
            trailsSinceMillis = nowMillis;
        }
        trailsMillis = trailing() == 0 ? 0 : nowMillis - trailsSinceMillis;
    }

    /** How many offsets are between the last record that was handed on and the last one that the verifier read. */
    public long trailing() {
        return Math.max(0, readEnd - next);
    }

    /** For how long the first of them has been the first, as of the last {@link #tick}; 0 if there is none. */
    public long trailsMillis() {
        return trailsMillis;
    }

    /** The number of records that were left out or marked since this was made. */
    public long unverified() {
        return unverified;
    }

    // The verifier's own reading

    @Override
    public void take(Read read) {
        long offset = PartitionOutput.firstOf(read.record());
        Map.Entry<Long, Integer> known = leaders.floorEntry(offset);
        if (known == null || known.getValue() != read.leaderEpoch()) {
            leaders.put(offset, read.leaderEpoch());
        }
        readEnd = read.record().offset() + 1;
    }

    @Override
    public boolean takesContent() {
        return false;
    }

    @Override
    public long truncated(long offset) {
        verdicts.truncated(offset);
        leaders.tailMap(offset, true).clear();
        releasedAt = offset <= releasedAt ? NOWHERE : releasedAt;
        verifiedEnd = Math.min(verifiedEnd, offset);
        readEnd = Math.min(readEnd, offset);
        // From there on everything is judged again.
        forgottenBefore = Math.min(forgottenBefore, offset);
        output.truncated(offset);
        continueAt(Math.min(next, offset));
        stoppedAt = output.standsAt().isPresent() ? stoppedAt : null;
        return offset;
    }

    /** The verifier reports what it has not judged; what it had judged is reported here. */
    @Override
    public void expired(long beginOffset, long endOffset) {
        asked = null;
        if (next < beginOffset) {
            output.missed(next, beginOffset);
        }
        if (next < endOffset) {
            output.expired(beginOffset, endOffset);
            next = endOffset;
            stoppedAt = null;
        }
        readEnd = Math.max(readEnd, endOffset);
    }

    @Override
    public void caughtUp(long asOfMillis) {}

    /** Unbounded: the verifier never waits for this. */
    @Override
    public int room() {
        return Integer.MAX_VALUE;
    }
}
