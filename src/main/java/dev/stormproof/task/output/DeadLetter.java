package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.PartitionId;

/**
 * The two records of a diverted event, as much of them as their topics take.
 *
 * <pre>
 *   marker, in the output ── key and headers, no value ──too large──► no key; only the header that names the event's stream
 *   copy, among the diverted ── the record as it was read ──too large──► neither key nor value, and the record's place
 * </pre>
 *
 * <p>Both have the record's timestamp, or, if their topic refuses that, the time at which they are written.
 *
 * @param reason why it is diverted
 */
record DeadLetter(PartitionId partition, long offset, RecordContent input, String reason) {
    /** How much of a reason is written: an exception may quote a whole event. */
    static final int MOST_REASON_CHARS = 500;

    /** Our own header of an event is never larger. */
    static final int MOST_KEPT_HEADER_BYTES = 1_024;

    private static final HeaderName CHECKPOINT = new HeaderName(Format2Checkpoint.HEADER);

    /** Kafka's value for no timestamp, which is replaced by the time of writing. */
    private static final long NO_TIME = -1;

    RecordContent marker(boolean bare) {
        return bare
                ? new RecordContent(null, null, kept().plus(TransformedHeader.DIVERTED, why()), NO_TIME, true)
                : new RecordContent(
                        input.key(),
                        null,
                        // A marker is no checkpoint, whatever the record claimed to be.
                        input.headers().without(CHECKPOINT).plus(TransformedHeader.DIVERTED, why()),
                        input.timestampMillis(),
                        true);
    }

    RecordContent copy(boolean bare) {
        String where = partition + "@" + offset;
        return bare
                ? new RecordContent(
                        null,
                        null,
                        HeaderBytes.NONE.plus(
                                TransformedHeader.DIVERTED,
                                (beginning(reason) + "; its content is left out here; it is at " + where)
                                        .getBytes(UTF_8)),
                        NO_TIME,
                        false)
                : new RecordContent(
                        input.key(),
                        input.value(),
                        input.headers().plus(TransformedHeader.DIVERTED, why()),
                        input.timestampMillis(),
                        false);
    }

    static RecordContent undated(RecordContent record) {
        return new RecordContent(record.key(), record.value(), record.headers(), NO_TIME, record.transformed());
    }

    private byte[] why() {
        return beginning(reason).getBytes(UTF_8);
    }

    static String beginning(String text) {
        return text.substring(0, Math.min(text.length(), MOST_REASON_CHARS));
    }

    private HeaderBytes kept() {
        byte[] value = input.headers().last(EventHeader.NAME);
        return value == null || value.length > MOST_KEPT_HEADER_BYTES
                ? HeaderBytes.NONE
                : HeaderBytes.NONE.plus(EventHeader.NAME, value);
    }
}
