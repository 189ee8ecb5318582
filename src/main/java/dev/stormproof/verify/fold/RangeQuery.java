package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.StreamId;

/**
 * A query for every record of one stream in [beginOffset, endOffset).
 *
 * <pre>
 *   offsets ──┬──────────────┬──────────────────┬──────────────┬──►
 *           begin         ownBegin            ownEnd          end
 *             head before    head, or the       checkpoint     after the next checkpoint,
 *             the last one   stream's beginning to judge       or after this one
 * </pre>
 *
 * @param ownBegin the first offset after the head
 * @param ownEnd the offset of the checkpoint to judge; of the records after a head, the end
 * @param firstSequence the sequence of the first event after the head
 */
public record RangeQuery(
        StreamId stream, long beginOffset, long ownBegin, long ownEnd, long endOffset, long firstSequence)
        implements LogQuery {}
