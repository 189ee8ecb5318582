package dev.stormproof.output;

import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.EventSigners;
import dev.stormproof.checkpoint.FastContentSigner;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.feed.Link;
import dev.stormproof.feed.LogSink;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.Undelivered;
import dev.stormproof.merkle.Hash;
import dev.stormproof.transform.InputEvent;
import dev.stormproof.transform.TransformRunner;
import dev.stormproof.transform.TransformRunner.TransformFailure;
import dev.stormproof.transform.Transformed;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The output of one partition: for each record of its log one record, in the log's order.
 *
 * <pre>
 *   WRITING ──checkpoint──────────────────────────────► WRITING  the same record
 *           ──event, and the transform makes another──► WRITING  that, with {@value TransformedHeader#NAME}
 *           ──event, the transform fails: divert──────► WRITING  a marker; the event goes to the diverted ones
 *           ──event, the transform fails: halt────────► HALTED
 *           ──record before the written end───────────► WRITING  nothing: written before a restart
 *           ──the same, of a later leader─────────────► WRITING  as a new one: the log was truncated and written again
 *   HALTED  ──record──────────────────────────────────► HALTED   nothing
 *           ──truncated at the halt or before─────────► WRITING  a finding: resumed
 *           ──expired beyond the halt─────────────────► WRITING  a finding: resumed
 *           ──restart, release────────────────────────► RETRYING
 *   RETRYING as WRITING; with the first record that it writes it is WRITING, and finds that the output is resumed
 * </pre>
 *
 * <p>Owned by one thread.
 */
public final class PartitionOutput implements LogSink {
    private static final int MOST_REASON_CHARS = 500;

    private final PartitionId partition;
    private final OutputLog log;
    private final TransformRunner transform;
    private final Predicate<RecordContent> isCheckpoint;
    private final OnError onError;
    private final Consumer<Undelivered> findings;
    private final FastContentSigner signer = new FastContentSigner();
    private long divertAt = -1;
    private long writtenEnd;
    private int writtenEpoch;
    private State state;

    private enum State {
        WRITING,
        HALTED,
        RETRYING
    }

    /**
     * @param written how far the output was written by others before
     * @param isCheckpoint true of a record that says that it is a checkpoint, readable or not
     */
    public PartitionOutput(
            PartitionId partition,
            Written written,
            OutputLog log,
            TransformRunner transform,
            Predicate<RecordContent> isCheckpoint,
            OnError onError,
            Consumer<Undelivered> findings) {
        this.partition = partition;
        this.log = log;
        this.transform = transform;
        this.isCheckpoint = isCheckpoint;
        this.onError = onError;
        this.findings = findings;
        this.writtenEnd = written.endOffset();
        this.writtenEpoch = written.leaderEpoch();
        this.state = written.halted() ? State.RETRYING : State.WRITING;
    }

    /** Has the event at an offset diverted if the transform fails on it, whatever the configuration says. */
    public void divertAt(long offset) {
        divertAt = offset;
    }

    /** How far the output is written. */
    public Written written() {
        return new Written(writtenEnd, writtenEpoch, state != State.WRITING);
    }

    /** The event that the output stands at; empty while it is written. */
    public OptionalLong haltedAt() {
        return state == State.HALTED ? OptionalLong.of(writtenEnd) : OptionalLong.empty();
    }

    @Override
    public void record(LogRecord record) {
        throw new IllegalStateException("a record without its content: " + record);
    }

    @Override
    public void record(LogRecord record, int leaderEpoch, @Nullable RecordContent content) {
        if (state == State.HALTED || isWritten(record.offset(), leaderEpoch)) {
            return;
        }
        RecordContent input = Objects.requireNonNull(content, "the content of a record");
        if (isCheckpoint.test(input)) {
            append(input);
        } else {
            writeEvent(record.offset(), record instanceof Event event ? event.observed() : Hash.empty(), input);
        }
        if (state == State.WRITING) {
            writtenEnd = record.offset() + 1;
            writtenEpoch = Math.max(writtenEpoch, leaderEpoch);
        }
    }

    @Override
    public boolean takesContent() {
        return true;
    }

    @Override
    public long truncated(long offset) {
        if (state == State.HALTED && offset <= writtenEnd) {
            resumed("the log was truncated there");
        }
        return offset;
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        if (endOffset > writtenEnd) {
            resumed("the log dropped the event");
            writtenEnd = endOffset;
        }
    }

    @Override
    public void caughtUp(long asOfMillis) {}

    @Override
    public int room() {
        return Integer.MAX_VALUE;
    }

    /** A record of a later leader than that of the last one written has taken the place of another. */
    private boolean isWritten(long offset, int leaderEpoch) {
        boolean rewritten = writtenEpoch != Link.NO_EPOCH && leaderEpoch > writtenEpoch;
        return offset < writtenEnd && !rewritten;
    }

    private void writeEvent(long offset, Hash read, RecordContent input) {
        RecordContent event;
        try {
            event = input.transformed() ? input : transformed(offset, input);
        } catch (TransformFailure e) {
            log.tell(offset, e);
            failed(offset, read, input, String.valueOf(e.getMessage()));
            return;
        }
        RecordContent signed = signed(offset, read, event);
        if (signed.sizeBytes() > log.maxRecordBytes()) {
            failed(
                    offset,
                    read,
                    input,
                    "the transform made a record of " + signed.sizeBytes() + " bytes, and the output topic takes "
                            + log.maxRecordBytes());
            return;
        }
        append(signed);
    }

    private void append(RecordContent record) {
        resumed("the transform took the event, or another lies there now");
        log.append(record);
    }

    /** Ends a halt, if there was one. */
    private void resumed(String why) {
        if (state != State.WRITING) {
            state = State.WRITING;
            findings.accept(new Undelivered(partition, writtenEnd, Undelivered.Kind.RESUMED, why, -1));
        }
    }

    private RecordContent transformed(long offset, RecordContent input) throws TransformFailure {
        InputEvent event = new InputEvent(
                partition.topic(),
                partition.partition(),
                offset,
                input.timestampMillis(),
                input.key(),
                input.value(),
                input.headers());
        Transformed made = transform.run(event);
        return new RecordContent(
                made.keyFor(event), made.value(), made.headersFor(event), input.timestampMillis(), true);
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

    private void failed(long offset, Hash read, RecordContent input, String reason) {
        boolean divert = onError == OnError.DIVERT || divertAt == offset;
        if (offset != writtenEnd) {
            resumed("another event lies there now");
        }
        findings.accept(new Undelivered(
                partition,
                offset,
                divert ? Undelivered.Kind.DIVERTED : Undelivered.Kind.HALTED,
                reason,
                input.timestampMillis()));
        if (!divert) {
            state = State.HALTED;
            writtenEnd = offset;
            return;
        }
        state = State.WRITING;
        byte[] why = reason.substring(0, Math.min(reason.length(), MOST_REASON_CHARS))
                .getBytes(StandardCharsets.UTF_8);
        log.divert(new RecordContent(
                input.key(),
                input.value(),
                input.headers().plus(TransformedHeader.DIVERTED, why),
                input.timestampMillis(),
                false));
        log.append(signed(
                offset,
                read,
                new RecordContent(
                        input.key(),
                        null,
                        input.headers().plus(TransformedHeader.DIVERTED, why),
                        input.timestampMillis(),
                        true)));
    }
}
