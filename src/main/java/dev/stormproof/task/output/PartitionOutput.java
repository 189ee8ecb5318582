package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The output of one partition: for each record of its log one record, in the log's order.
 *
 * <pre>
 *   WRITING ──checkpoint──────────────────────────────► WRITING  the same record
 *           ──event, and the transform makes another──► WRITING  that, with {@value TransformedHeader#NAME}
 *           ──it fails, or the topic refuses the record:
 *             divert──────────────────────────────────► WRITING  a marker; the record goes to the diverted ones
 *             halt────────────────────────────────────► HALTED   a finding
 *           ──a topic takes nothing now───────────────► WAITING  a finding
 *           ──{@link VerifiedOutput} halts before a record► HALTED   a finding
 *           ──it leaves a record out──────────────────► WRITING  nothing
 *           ──records too large to be read────────────► as one record that fails
 *           ──record before the written end───────────► WRITING  nothing: written before a restart
 *           ──the same, of a later leader─────────────► WRITING  as a new one: the log was truncated and written again
 *           ──refused, after it was appended──────────► HALTED   a finding; if it is to be diverted, none: its owner goes on at once
 *   HALTED, ──record──────────────────────────────────► as it is: nothing
 *   WAITING ──truncated at its place or before────────► WRITING
 *           ──expired beyond its place────────────────► WRITING  a finding: it goes on
 *           ──restart, release; its topic takes again─► WRITING  of another output, which goes on from there
 *
 *   WRITING after a halt or a wait that was reported: the first record that is written is a finding, too: it goes on
 * </pre>
 *
 * <p>No record, transform or topic makes this throw. Owned by one thread.
 */
public final class PartitionOutput implements LogSink {
    /** How often a record may be refused: itself, its diversion, and the diversion without content. */
    private static final int MOST_REFUSALS = 3;

    private static final HeaderName MARKER = new HeaderName(TransformedHeader.DIVERTED);
    private static final Refusals NONE = new Refusals(-1, 0, "");
    private static final Reported NOTHING = new Reported(-1, false, false);

    private final PartitionId partition;
    private final OutputLog log;
    private final Optional<OutputLog> diverted;
    private final TransformRunner transform;
    private final Predicate<RecordContent> isCheckpoint;
    private final OnError onError;
    private final Consumer<Finding> findings;
    private final Xxh3Signer signer = new Xxh3Signer();
    private long divertAt = -1;
    private long writtenEnd;
    /** The leaders of the written records. */
    private Leaders leaders;

    private State state = State.WRITING;
    /** The log that it waits for, or last waited for. */
    private OutputLog awaited;

    private boolean halted;
    private boolean waiting;
    private Refusals refusals = NONE;
    private Reported reported = NOTHING;

    private enum State {
        WRITING,
        HALTED,
        WAITING
    }

    /** How often the record at an offset was refused after it had been appended, and why at last. */
    private record Refusals(long offset, int times, String why) {}

    /** Where the output last went on, and what that ended. */
    private record Reported(long offset, boolean halted, boolean waiting) {}

    /**
     * @param written how far the output was written before
     * @param diverted the log of diverted events, if there is one
     * @param isCheckpoint true for a record that claims to be a checkpoint, readable or not
     */
    public PartitionOutput(
            PartitionId partition,
            Written written,
            OutputLog log,
            Optional<OutputLog> diverted,
            TransformRunner transform,
            Predicate<RecordContent> isCheckpoint,
            OnError onError,
            Consumer<Finding> findings) {
        this.partition = partition;
        this.log = log;
        this.awaited = log;
        this.diverted = diverted;
        this.transform = transform;
        this.isCheckpoint = isCheckpoint;
        this.onError = onError;
        this.findings = findings;
        this.writtenEnd = written.endOffset();
        this.leaders = written.leaders();
        this.halted = written.halted();
        this.waiting = written.waiting();
    }

    /** Has the event at an offset diverted if the transform fails on it, whatever the configuration says. */
    public void divertAt(long offset) {
        divertAt = offset;
    }

    /** Takes over from another output of the same partition what it knows of the record before which it halted. */
    public void goOnFrom(PartitionOutput before) {
        divertAt = before.divertAt;
        refusals = before.refusals;
    }

    public Written written() {
        return new Written(writtenEnd, leaders, halted, waiting);
    }

    /** The record before which the output halted or waits; empty while it writes. */
    public OptionalLong standsAt() {
        return state == State.WRITING ? OptionalLong.empty() : OptionalLong.of(writtenEnd);
    }

    /** The record that an operator has to release; empty if the output is not halted. */
    public OptionalLong haltedAt() {
        return state == State.HALTED ? OptionalLong.of(writtenEnd) : OptionalLong.empty();
    }

    /** True if it waits for a topic that takes records again, as far as is known. */
    public boolean mayGoOn() {
        return state == State.WAITING && awaited.unavailable() == null;
    }

    /**
     * Takes back everything that was appended from an offset, because the record of that offset was refused. An offset at or after the written end
     * was not appended here, but is of an earlier topic or leader.
     *
     * @return true if the record is to be diverted: another output, which {@linkplain #goOnFrom goes on}, has to read the log again
     */
    public boolean refused(long offset, long writtenMillis, String why) {
        if (offset >= writtenEnd) {
            return false;
        }
        takeBack(offset);
        refusals = new Refusals(offset, refusals.offset() == offset ? refusals.times() + 1 : 1, why);
        if (diverts(offset)) {
            state = State.HALTED;
            return true;
        }
        halt(offset, writtenMillis, why);
        return false;
    }

    /** As {@link #refused}, because the topic takes nothing now. */
    public void unavailable(long offset, long writtenMillis, String why) {
        if (offset >= writtenEnd) {
            return;
        }
        takeBack(offset);
        await(diverted.filter(this::isUnavailableAlone).orElse(log), offset, writtenMillis, why);
    }

    @Override
    public void take(Read read) {
        if (!writes(read)) {
            return;
        }
        LogRecord record = read.record();
        RecordContent input = contentOf(read);
        long first = firstOf(record);
        String unavailable = log.unavailable();
        if (unavailable != null) {
            await(log, first, input.timestampMillis(), unavailable);
        } else if (record instanceof OversizedRecords unread) {
            failed(first, Hash.empty(), input, unread.detail());
        } else {
            write(record, input);
        }
        if (state == State.WRITING) {
            written(read);
        }
    }

    @Override
    public boolean takesContent() {
        return true;
    }

    @Override
    public long truncated(long offset) {
        if (offset <= writtenEnd) {
            state = State.WRITING;
        }
        if (offset <= refusals.offset()) {
            refusals = NONE;
        }
        divertAt = offset <= divertAt ? -1 : divertAt;
        reported = NOTHING;
        return offset;
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        if (endOffset > writtenEnd) {
            goOn("the log dropped the record");
            state = State.WRITING;
            writtenEnd = endOffset;
        }
    }

    @Override
    public void caughtUp(long asOfMillis) {}

    /** An output that halted or waits takes everything, because it writes nothing. */
    @Override
    public int room() {
        return state == State.WRITING && log.isDue() ? 0 : Integer.MAX_VALUE;
    }

    /** True if the output would write this record: it neither halted nor waits, and the record is not written yet. */
    boolean writes(Read read) {
        return state == State.WRITING && !isWritten(read.record().offset(), read.leaderEpoch());
    }

    /** True if what was appended should be written before more is. */
    boolean isFull() {
        return log.isFull();
    }

    /** Goes on at the record before which it halted, or waits. */
    void resume() {
        state = State.WRITING;
    }

    /** Has a record that was refused tried again. */
    void retry() {
        refusals = NONE;
    }

    /** Halts before a record until an operator releases it. */
    void standBefore(Read read, String reason) {
        halt(firstOf(read.record()), contentOf(read).timestampMillis(), reason);
    }

    /** Goes on after a record without writing it. */
    void leaveOut(Read read) {
        goOn("the output goes on without the record");
        written(read);
    }

    /** Reports records that the log dropped before they came here. */
    void missed(long beginOffset, long endOffset) {
        findings.accept(new MissedRecords(partition, beginOffset, endOffset));
    }

    private void written(Read read) {
        long first = firstOf(read.record());
        boolean again = first < writtenEnd;
        if (read.leaderEpoch() != DeliveryLink.NO_EPOCH && (again || read.leaderEpoch() != leaders.last())) {
            leaders = leaders.followedBy(Leaders.of(Math.min(first, writtenEnd), read.leaderEpoch()));
        }
        writtenEnd = read.record().offset() + 1;
    }

    static long firstOf(LogRecord record) {
        return record instanceof OversizedRecords unread ? unread.firstOffset() : record.offset();
    }

    static RecordContent contentOf(Read read) {
        return Objects.requireNonNull(read.content(), "the content of a record");
    }

    private boolean isWritten(long offset, int leaderEpoch) {
        return offset < writtenEnd && !leaders.haveCutOff(offset, leaderEpoch);
    }

    private void write(LogRecord record, RecordContent input) {
        long offset = record.offset();
        Hash read = record instanceof Event event ? event.observed() : Hash.empty();
        if (refusals.offset() == offset) {
            failed(offset, read, input, refusals.why());
            return;
        }
        RecordContent made;
        try {
            made = isCheckpoint.test(input)
                    ? input
                    : signed(offset, read, honest(record, input.transformed() ? input : transformed(offset, input)));
        } catch (TransformFailure e) {
            log.logFailure(offset, e);
            failed(offset, read, input, String.valueOf(e.getMessage()));
            return;
        }
        String refusal = log.refusal(made);
        if (refusal != null) {
            failed(offset, read, input, refusal);
            return;
        }
        goOn("the output took the record, or another one is there now");
        log.append(offset, made);
    }

    /** Reports the end of a halt or a wait that was reported. */
    private void goOn(String why) {
        if (halted || waiting) {
            reported = new Reported(writtenEnd, halted, waiting);
            if (halted) {
                report(writtenEnd, Undelivered.Kind.RESUMED, why, -1);
            }
            if (waiting) {
                report(writtenEnd, Undelivered.Kind.WAITED, why, -1);
            }
            halted = false;
            waiting = false;
        }
    }

    /** Takes back what was written and reported from an offset. */
    private void takeBack(long offset) {
        writtenEnd = offset;
        halted = false;
        waiting = false;
        if (offset <= reported.offset()) {
            halted |= reported.halted();
            waiting |= reported.waiting();
        }
    }

    private RecordContent transformed(long offset, RecordContent input) throws TransformFailure {
        InputEvent event = new InputEvent(partition.topic(), partition.partition(), offset, input);
        return transform.run(event).contentFor(event);
    }

    private RecordContent signed(long offset, Hash read, RecordContent event) {
        TransformedHeader header = new TransformedHeader(
                offset, EventSigners.XXH3_KEY_VALUE, signer.sign(event.key(), event.value()), read);
        return new RecordContent(
                event.key(),
                event.value(),
                event.headers().plus(TransformedHeader.NAME, header.encode()),
                event.timestampMillis(),
                true);
    }

    /** The event without a marker's header, unless the input is itself an output and the event is a marker. */
    private RecordContent honest(LogRecord record, RecordContent made) {
        HeaderBytes headers = record instanceof Event event && event.content() == Event.Content.DIVERTED
                ? made.headers()
                : made.headers().without(MARKER);
        return headers == made.headers()
                ? made
                : new RecordContent(made.key(), made.value(), headers, made.timestampMillis(), made.transformed());
    }

    private boolean diverts(long offset) {
        return diverted.isPresent() && (onError == OnError.DIVERT || divertAt == offset);
    }

    private void failed(long offset, Hash read, RecordContent input, String reason) {
        int times = refusals.offset() == offset ? refusals.times() : 0;
        if (!diverts(offset)) {
            halt(offset, input.timestampMillis(), reason);
            return;
        }
        if (times >= MOST_REFUSALS) {
            halt(offset, input.timestampMillis(), "not even its diversion is taken: " + reason);
            return;
        }
        OutputLog aside = diverted.orElseThrow();
        String unavailable = aside.unavailable();
        if (unavailable != null) {
            await(aside, offset, input.timestampMillis(), unavailable);
            return;
        }
        DeadLetter diversion = new DeadLetter(partition, offset, input, reason);
        boolean bare = times == MOST_REFUSALS - 1;
        RecordContent marker = fitting(
                log, signed(offset, read, diversion.marker(bare)), () -> signed(offset, read, diversion.marker(true)));
        RecordContent copy = fitting(aside, diversion.copy(bare), () -> diversion.copy(true));
        if (marker == null || copy == null) {
            halt(offset, input.timestampMillis(), "not even its diversion is taken: " + reason);
            return;
        }
        elsewhere(offset);
        halted = false; // A diversion is the end of a halt.
        goOn("the output took a marker in its place");
        report(offset, Undelivered.Kind.DIVERTED, reason, input.timestampMillis());
        aside.append(offset, copy);
        log.append(offset, marker);
    }

    /** As much of a record as a log takes: without its timestamp, else without its content; null if not even that. */
    private static @Nullable RecordContent fitting(OutputLog log, RecordContent whole, Supplier<RecordContent> bare) {
        if (log.refusal(whole) == null) {
            return whole;
        }
        RecordContent undated = DeadLetter.undated(whole);
        if (log.refusal(undated) == null) {
            return undated;
        }
        RecordContent last = bare.get();
        return log.refusal(last) == null ? last : null;
    }

    private void halt(long offset, long writtenMillis, String reason) {
        elsewhere(offset);
        report(offset, Undelivered.Kind.HALTED, reason, writtenMillis);
        halted = true;
        state = State.HALTED;
        writtenEnd = offset;
    }

    private boolean isUnavailableAlone(OutputLog aside) {
        return log.unavailable() == null && aside.unavailable() != null;
    }

    private void await(OutputLog topic, long offset, long writtenMillis, String reason) {
        awaited = topic;
        elsewhere(offset);
        report(offset, Undelivered.Kind.WAITING, reason, writtenMillis);
        waiting = true;
        state = State.WAITING;
        writtenEnd = offset;
    }

    private void elsewhere(long offset) {
        if (offset != writtenEnd) {
            goOn("another record is there now");
        }
    }

    private void report(long offset, Undelivered.Kind kind, String detail, long writtenMillis) {
        findings.accept(new Undelivered(partition, offset, kind, DeadLetter.beginning(detail), writtenMillis));
    }
}
